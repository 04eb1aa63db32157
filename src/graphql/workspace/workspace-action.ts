import { WORKSPACE_ACTION_PERMISSIONS } from "../../domain/workspace/workspace-actions.ts";
import type { WorkspaceAction, WorkspaceActionAvailability } from "../../model/workspace/workspace-action.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { DEPENDS_ON_ACTOR } from "../kit/depends-on-actor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { UserErrorCodeEnum } from "../kit/user-error.ts";

const WorkspaceActionEnum = describedEnum<WorkspaceAction>("WorkspaceAction", "What can be asked of a workspace.", {
  CREATE_RUN: "`createRun` of the kinds DEPLOY, DESTROY, PLAN and APPLY. The run may have to wait.",
  CREATE_TASK: "`createRun` of kind TASK.",
  CREATE_UNLOCK: "`createRun` of kind UNLOCK.",
  PAUSE: "`updateWorkspace` with `paused: true`.",
  RESUME: "`updateWorkspace` with `paused: false`.",
  LOCK: "`lockWorkspace`: set a lock, or change one's own.",
  UNLOCK: "`unlockWorkspace` without force.",
  FORCE_UNLOCK: "`unlockWorkspace` with `force`.",
  UPDATE: "`updateWorkspace` of its name, description, source and `lockScope`.",
  UPDATE_GATES:
    "`updateWorkspace` of what decides who is asked before an apply: gates, approval rules, limits, freezes.",
  UPDATE_HOOKS: "`updateWorkspace` of its hooks.",
  UPDATE_RUNNER: "`updateWorkspace` of its runner pool and labels.",
  SET_VARIABLE: "`setVariable` and `deleteVariable`.",
  IMPORT_STATE: "`POST /workspaces/<id>/state`: bring a state that was made elsewhere.",
  ROLLBACK_STATE: "`rollbackState` to an older version.",
  FORCE_UNLOCK_STATE: "`forceUnlockState`: break the engine's lock on the state.",
  DELETE: "`deleteWorkspace` without force.",
});

const AvailabilityRef = builder.objectRef<WorkspaceActionAvailability>("WorkspaceActionAvailability").implement({
  description: "Whether the caller may take an action now. `code` is the user error that the command would give.",
  fields: (t) => ({
    action: t.expose("action", { type: WorkspaceActionEnum, description: "The action." }),
    allowed: t.exposeBoolean("allowed", { description: "Whether it would be accepted, and has something to do." }),
    code: t.expose("code", {
      type: UserErrorCodeEnum,
      nullable: true,
      description: "The error that the command would give; null if it is allowed, or there is nothing to do.",
    }),
    reason: t.exposeString("reason", { nullable: true, description: "Why not, for a person; null if it is allowed." }),
  }),
});

builder.objectField(WorkspaceRef, "actions", (t) =>
  t.field({
    type: [AvailabilityRef],
    extensions: { ...DEPENDS_ON_ACTOR, ...asksFor("workspace:read", ...WORKSPACE_ACTION_PERMISSIONS) },
    description: "Each action, and whether the caller may take it now. Empty for a workspace that was deleted.",
    resolve: ({ id }, _args, { loaders }) => loaders.workspaceActions.load(id),
  }),
);
