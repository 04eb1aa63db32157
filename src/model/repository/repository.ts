/** A repository of a host. */
export interface Repository {
  id: string;
  organizationId: string;
  gitHostId: string;
  /** The path at its host, such as `acme/infrastructure`. */
  name: string;
  url: string;
  /** The host's own id; `null` until an authentic hook named it. */
  remoteId: string | null;
  /** `null` until the first look. */
  defaultBranch: string | null;
  createdById: string;
  createdAt: string;
}

/** The last look of a repository, and the health of its hooks. */
export interface LookState {
  /** That of the repository. */
  id: string;
  /** The number of the newest request for a look that is answered. */
  done: number;
  /** When the last look that succeeded ended; `null` before the first. */
  endedAt: string | null;
  /** Why the last look failed; `null` if it did not. */
  error: string | null;
  /** The newest finders of changes: see `hookHealth`. */
  foundBy: string;
  /** Whether the tags of the repository are remembered. */
  tagsSeen: boolean;
}
