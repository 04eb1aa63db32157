import type { Permission } from "./permission-set.ts";

/** A command of a person or a machine user that was refused. It changed nothing. */
export interface RejectedCommand {
  id: number;
  at: string;
  actorId: string;
  /** The token or the session by which the command came; `null` if it was not recorded. */
  credentialId: string | null;
  /** The name of the mutation, such as `approveRun`. */
  command: string;
  /** The id of the object that the command was about, as the caller gave it; `null` if it gave none. */
  subjectId: string | null;
  /** The permission to see that object. */
  sight: Permission;
  code: string;
  message: string;
}

/** The scope of a list: one run, a workspace and its runs, or an organization and everything in it. */
export type RejectionsOf = { runId: string } | { workspaceId: string } | { organizationId: string };
