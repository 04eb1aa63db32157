import { UserError } from "../../model/kit/user-error.ts";
import { lockSentence } from "../../model/workspace/lock-text.ts";
import type { Workspace, WorkspaceLock } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";

/** Builds the error of a command that a workspace lock prevents: who holds the lock, then what to do. */
export async function workspaceLocked(
  reader: Reader,
  { id }: Pick<Workspace, "id">,
  lock: WorkspaceLock,
  remedy: string,
): Promise<UserError> {
  const [actor = null] = lock.actorId === null ? [] : await findActors(reader, [lock.actorId]);
  const run = lock.runId === null ? null : await findRun(reader, lock.runId);
  const sentence = lockSentence({ ...lock, actorName: actor?.name ?? null, runNumber: run?.number ?? null });
  return new UserError("WORKSPACE_LOCKED", `${sentence} ${remedy}`, { workspaceId: id });
}
