import type { TokenCaller } from "../../model/people/permission.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { findStateLocks, releaseStateLock } from "../../persistence/state/state-store.ts";
import type { Deps } from "../kit/deps.ts";
import { atWorkSentence, isHeldAlive } from "../workspace/break-locks.ts";
import { commandWorkspace } from "../workspace/workspace-command.ts";
import { workspaceChanged } from "../lifecycle/workspace-changed.ts";

/** Breaks a state lock that somebody left behind. That of a job at work is the job's until it ends. */
export function forceUnlockState(
  deps: Deps,
  caller: TokenCaller,
  { workspaceId, lockId }: { workspaceId: string; lockId: string },
): Promise<Workspace> {
  const spec = {
    name: "forceUnlockState",
    permission: "stateLock:force",
    words: "breaking state locks",
    workspaceId,
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    const [held = null] = await findStateLocks(tx, [workspaceId]);
    if (held?.lockId !== lockId) throw invalidField("lockId", "must be the id of the lock that the state has now.");
    if (held.runId !== null && (await isHeldAlive(tx, workspaceId))) {
      throw new UserError("RUN_STATE_CONFLICT", await atWorkSentence(tx, held.runId), { runId: held.runId });
    }
    await releaseStateLock(tx, workspaceId);
    await workspaceChanged(tx, deps, workspace, caller.actor.id, ["stateLock"]);
    return workspace;
  });
}
