import type { ActorCaller } from "../../model/people/permission.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { isOwnLock, refuseOthersLock } from "../../model/workspace/workspace-use.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findStateLocks, releaseStateLock } from "../../persistence/state/state-store.ts";
import { setWorkspaceLock } from "../../persistence/workspace/workspace-lock-store.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import type { Deps } from "../kit/deps.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { throwRefusal } from "./workspace-refusal.ts";
import { isHeldByLiveJob } from "./break-locks.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

export interface UnlockWorkspaceInput {
  workspaceId: string;
  force: boolean;
  note: string | null;
}

/**
 * Removes the lock of a workspace. A lock of another person, or of an interrupted apply, needs `force`, which confirms
 * a check of the infrastructure. The state lock that an interrupted apply left is released with it.
 */
export function unlockWorkspace(deps: Deps, caller: ActorCaller, input: UnlockWorkspaceInput): Promise<Workspace> {
  const { workspaceId, force, note } = input;
  const spec = {
    name: "unlockWorkspace",
    presence: force ? "ALWAYS" : undefined,
    permission: "WORKSPACE_LOCK",
    words: "unlocking workspaces",
    workspaceId,
    demands: force ? [{ permission: "WORKSPACE_FORCE_UNLOCK", words: "unlocking workspaces by force" }] : [],
    check: (check) => check.text("note", note),
  } satisfies Parameters<typeof commandWorkspace>[2];
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    const { lock } = workspace;
    if (lock === null) return workspace;
    const { id: actorId } = caller.actor;
    if (!force && !isOwnLock(lock, actorId)) {
      throwRefusal(refuseOthersLock(lock, await getWorkspaceUse(tx, workspaceId), actorId), workspaceId);
    }
    await setWorkspaceLock(tx, workspaceId, null);
    if (lock.reason === "APPLY_INTERRUPTED") await releaseLeftLock(tx, workspaceId);
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["lock"]);
    await settleWorkspace(tx, deps, workspaceId);
    return { ...workspace, lock: null };
  });
}

/**
 * Releases the state lock that the interrupted apply left. The lock may by now belong to a replan, or to a person;
 * those stay.
 */
async function releaseLeftLock(tx: Transaction, workspaceId: string): Promise<void> {
  const [held = null] = await findStateLocks(tx, [workspaceId]);
  const left = held !== null && held.jobId !== null && !(await isHeldByLiveJob(tx, workspaceId));
  if (left) await releaseStateLock(tx, workspaceId);
}
