import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { releaseStateLock } from "../../persistence/state/state-store.ts";
import { refuseStateUnlock } from "../../model/workspace/workspace-use.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandWorkspace } from "../workspace/workspace-command.ts";
import { throwRefusal } from "../workspace/workspace-refusal.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

/** Breaks an abandoned state lock. The lock of a live job cannot be broken. */
export function forceUnlockState(
  deps: Deps,
  caller: ActorCaller,
  { workspaceId, lockId }: { workspaceId: string; lockId: string },
): Promise<Workspace> {
  const spec = {
    name: "forceUnlockState",
    presence: "ALWAYS",
    permission: "STATE_LOCK_FORCE",
    words: "breaking state locks",
    workspaceId,
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    const use = await getWorkspaceUse(tx, workspaceId);
    if (use.stateLock?.id !== lockId)
      throw invalidField("lockId", "must be the id of the lock that the state has now.");
    throwRefusal(refuseStateUnlock(use), workspaceId);
    await releaseStateLock(tx, workspaceId);
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["stateLock"]);
    return workspace;
  });
}
