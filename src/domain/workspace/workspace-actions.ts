import { forbiddenReason } from "../../model/people/role.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { can, type ActorCaller } from "../../model/people/permission.ts";
import type { Permission } from "../../model/people/permission-set.ts";
import { permissionToRun } from "../../model/run/run-permission.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import {
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
  type WorkspaceActionAvailability,
} from "../../model/workspace/workspace-action.ts";
import {
  refuseDeletion,
  refuseImport,
  refuseOthersLock,
  refuseStateUnlock,
  refuseTask,
  type WorkspaceRefusal,
  type WorkspaceUse,
} from "../../model/workspace/workspace-use.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { findWorkspaceUses } from "../../persistence/workspace/workspace-use-store.ts";
import { refusalError } from "./workspace-refusal.ts";

/** A workspace with what its actions depend on. */
export interface WorkspaceSubject {
  workspace: Workspace;
  use: WorkspaceUse;
}

/** Reads workspaces with what their actions depend on; `null` if there is no such workspace, or it was deleted. */
export async function readWorkspaceSubjects(
  reader: Reader,
  workspaceIds: readonly string[],
): Promise<(WorkspaceSubject | null)[]> {
  const [workspaces, uses] = await Promise.all([
    findWorkspaces(reader, workspaceIds),
    findWorkspaceUses(reader, workspaceIds),
  ]);
  return workspaces.map((workspace, index) => {
    const use = uses[index] ?? null;
    return workspace === null || use === null ? null : { workspace, use };
  });
}

/** The action has no effect: it would change nothing, or there is nothing to name. */
interface Nothing {
  code: null;
  reason: string;
}

interface ActionSpec {
  permissions: readonly Permission[];
  refuse?: (subject: WorkspaceSubject, actorId: string) => WorkspaceRefusal | Nothing | null;
}

const nothing = (reason: string): Nothing => ({ code: null, reason });

const ACTIONS: Record<WorkspaceAction, ActionSpec> = {
  CREATE_RUN: { permissions: [permissionToRun("DEPLOY")] },
  CREATE_PLAN: { permissions: [permissionToRun("PLAN")] },
  CREATE_DESTROY: { permissions: [permissionToRun("DESTROY")] },
  CREATE_TASK: { permissions: [permissionToRun("TASK")], refuse: ({ workspace }) => refuseTask(workspace) },
  CREATE_UNLOCK: { permissions: [permissionToRun("UNLOCK"), "WORKSPACE_FORCE_UNLOCK"] },
  PAUSE: {
    permissions: ["WORKSPACE_UPDATE"],
    refuse: ({ workspace }) => (workspace.paused ? nothing("The workspace is paused already.") : null),
  },
  RESUME: {
    permissions: ["WORKSPACE_UPDATE"],
    refuse: ({ workspace }) => (workspace.paused ? null : nothing("The workspace is not paused.")),
  },
  LOCK: {
    permissions: ["WORKSPACE_LOCK"],
    refuse: ({ workspace: { lock }, use }, actorId) => refuseOthersLock(lock, use, actorId),
  },
  UNLOCK: {
    permissions: ["WORKSPACE_LOCK"],
    refuse: ({ workspace: { lock }, use }, actorId) => refuseEmpty(lock) ?? refuseOthersLock(lock, use, actorId),
  },
  FORCE_UNLOCK: {
    permissions: ["WORKSPACE_LOCK", "WORKSPACE_FORCE_UNLOCK"],
    refuse: ({ workspace: { lock } }) => refuseEmpty(lock),
  },
  UPDATE: { permissions: ["WORKSPACE_UPDATE"] },
  UPDATE_GATES: { permissions: ["WORKSPACE_UPDATE", "GATE_WRITE"] },
  UPDATE_HOOKS: { permissions: ["WORKSPACE_UPDATE", "HOOK_WRITE"] },
  UPDATE_RUNNER: { permissions: ["WORKSPACE_UPDATE", "RUNNER_CHOOSE"] },
  SET_VARIABLE: { permissions: ["VARIABLE_WRITE"] },
  IMPORT_STATE: {
    permissions: ["STATE_WRITE"],
    refuse: ({ workspace: { lock }, use }, actorId) => refuseImport(lock, use, actorId),
  },
  ROLLBACK_STATE: {
    permissions: ["STATE_ROLLBACK"],
    refuse: ({ use }) => (use.state?.hasOlder === true ? null : nothing("The state has no older version.")),
  },
  FORCE_UNLOCK_STATE: {
    permissions: ["STATE_LOCK_FORCE"],
    refuse: ({ use }) => (use.stateLock === null ? nothing("The state is not locked.") : refuseStateUnlock(use)),
  },
  DELETE: {
    permissions: ["WORKSPACE_DELETE"],
    refuse: ({ workspace: { lock }, use }) => refuseDeletion(lock, use, false),
  },
};

/** Every permission that an action of a workspace requires. */
export const WORKSPACE_ACTION_PERMISSIONS: readonly Permission[] = Object.values(ACTIONS).flatMap(
  ({ permissions }) => permissions,
);

function refuseEmpty(lock: Workspace["lock"]): Nothing | null {
  return lock === null ? nothing("The workspace is not locked.") : null;
}

/**
 * Returns each action with its refusal for the caller, if any. An expired lock must have been removed from the subject.
 */
export function workspaceActions(caller: ActorCaller, subject: WorkspaceSubject): WorkspaceActionAvailability[] {
  const { workspace } = subject;
  const place = workspacePlace(workspace);
  return WORKSPACE_ACTIONS.map((action) => {
    const { permissions, refuse } = ACTIONS[action];
    const missing = permissions.find((permission) => !can(caller, permission, place));
    if (missing !== undefined) {
      return { action, allowed: false, code: "FORBIDDEN", reason: forbiddenReason("this", missing) };
    }
    const refusal = refuse?.(subject, caller.actor.id) ?? null;
    if (refusal === null) return { action, allowed: true, code: null, reason: null };
    const reason = refusal.code === null ? refusal.reason : refusalError(refusal, workspace.id).message;
    return { action, allowed: false, code: refusal.code, reason };
  });
}
