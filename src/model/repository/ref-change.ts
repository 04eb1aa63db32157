import type { FoundBy } from "./look.ts";

/** A ref that moved. */
export interface RefChange {
  id: string;
  organizationId: string;
  repositoryId: string;
  /** Counts up within the repository, from 1. */
  seq: number;
  /** The full name, such as `refs/heads/main`. */
  ref: string;
  /** The commit before; `null` if the ref is new. */
  before: string | null;
  /** The commit after; `null` if the ref was deleted. */
  after: string | null;
  /** Whether the former commit is no ancestor of the new one; `null` until the change is decided. */
  forced: boolean | null;
  foundBy: FoundBy;
  foundAt: string;
  /** When the runs that it starts were decided; `null` until then. */
  decidedAt: string | null;
  /** The changeset of the runs that it starts; `null` if it starts none. */
  changesetId: string | null;
  /** The newer change of the ref that was decided in its place; `null` if there is none. */
  supersededById: string | null;
  /** Why it could not be decided yet. */
  error: string | null;
}
