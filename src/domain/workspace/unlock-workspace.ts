import { can, type TokenCaller } from "../../model/permission.ts";
import { forbidden, notFound, UserError } from "../../model/user-error.ts";
import type { Workspace } from "../../model/workspace.ts";
import { releaseStateLock } from "../../persistence/state-store.ts";
import { lockWorkspaceRow, setWorkspaceLock } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import type { Commands } from "../domain.ts";
import { authorize, recorded } from "../guard.ts";
import { InputCheck } from "../input.ts";
import { admitNext } from "../run/run-change.ts";
import { lookUpWorkspace } from "./look-up-workspace.ts";

/**
 * Takes a lock away. One's own needs no force; somebody else's, or that of an interrupted apply, does: `force` says
 * "I have checked". The engine's lock that an interrupted apply left goes with it.
 */
export function unlockWorkspace(
  deps: Deps,
  caller: TokenCaller,
  input: Parameters<Commands["unlockWorkspace"]>[1],
): Promise<Workspace> {
  const { workspaceId, force, note } = input;
  return recorded(deps, caller, "unlockWorkspace", workspaceId, () =>
    deps.database.transaction(async (tx) => {
      const found = await lookUpWorkspace(tx, workspaceId);
      if (found === null || !can(caller, "workspace:read")) throw notFound("workspace");
      authorize(caller, "workspace:unlock", "unlocking workspaces");
      if (force && !can(caller, "workspace:forceUnlock")) throw forbidden("unlocking workspaces by force");
      const check = new InputCheck();
      check.text("note", note);
      check.done();
      const { lock } = await lockWorkspaceRow(tx, workspaceId);
      if (lock === null) return found;
      const own = lock.reason === "MANUAL" && lock.actorId === caller.actor.id;
      if (!own && !force) {
        throw new UserError(
          "WORKSPACE_LOCKED",
          lock.reason === "MANUAL"
            ? "Somebody else locked the workspace; an admin can unlock it with force."
            : "An apply was interrupted. Check what it did, then unlock with force.",
          { workspaceId },
        );
      }
      await setWorkspaceLock(tx, workspaceId, null);
      if (lock.reason === "APPLY_INTERRUPTED") await releaseStateLock(tx, workspaceId);
      await admitNext(tx, deps, workspaceId);
      tx.announce("work");
      return { ...found, lock: null };
    }),
  );
}
