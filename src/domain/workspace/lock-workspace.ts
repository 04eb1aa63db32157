import type { ActorCaller } from "../../model/people/permission.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { isOwnLock, refuseOthersLock } from "../../model/workspace/workspace-use.ts";
import { setWorkspaceLock } from "../../persistence/workspace/workspace-lock-store.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import type { Deps } from "../kit/deps.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { throwRefusal } from "./workspace-refusal.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

export interface LockWorkspaceInput {
  workspaceId: string;
  note: string | null;
  expiresAt: string | null;
}

/**
 * Locks a workspace: no run starts and nothing is applied; an executing run continues. The holder of the lock can
 * change its note and its expiry.
 */
export function lockWorkspace(deps: Deps, caller: ActorCaller, input: LockWorkspaceInput): Promise<Workspace> {
  const { workspaceId, note, expiresAt } = input;
  const at = deps.clock().toISOString();
  const spec = {
    name: "lockWorkspace",
    permission: "WORKSPACE_LOCK",
    words: "locking workspaces",
    workspaceId,
    check: (check) => {
      check.text("note", note);
      check.require(expiresAt === null || expiresAt > at, "expiresAt", "must be in the future.");
    },
  } satisfies Parameters<typeof commandWorkspace>[2];
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    const { lock: found } = workspace;
    const { id: actorId } = caller.actor;
    if (found !== null && !isOwnLock(found, actorId)) {
      throwRefusal(refuseOthersLock(found, await getWorkspaceUse(tx, workspaceId), actorId), workspaceId);
    }
    const since = found?.since ?? at;
    const lock = { reason: "MANUAL", runId: null, actorId: caller.actor.id, note, since, expiresAt } as const;
    await setWorkspaceLock(tx, workspaceId, lock);
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["lock"]);
    await settleWorkspace(tx, deps, workspaceId);
    return { ...workspace, lock };
  });
}
