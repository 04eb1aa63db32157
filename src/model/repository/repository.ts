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
