import { loaderOf } from "../kit/loader.ts";
import { WORKSPACE_ACTION_PERMISSIONS } from "../../domain/workspace/workspace-actions.ts";
import type { WorkspaceAction, WorkspaceActionAvailability } from "../../model/workspace/workspace-action.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { UserErrorCodeEnum } from "../kit/user-error.ts";

const workspaceActionsLoader = loaderOf((domain, caller, ids) => domain.workspaceActions(caller, ids));

const WorkspaceActionEnum = describedEnum<WorkspaceAction>("WorkspaceAction", "An action on a workspace.", {
  CREATE_RUN: "`createRun` of the kinds DEPLOY and APPLY. The run may have to wait.",
  CREATE_PLAN: "`createRun` of kind PLAN, which changes nothing.",
  CREATE_DESTROY: "`createRun` of kind DESTROY. The run may have to wait.",
  CREATE_TASK: "`createRun` of kind TASK.",
  CREATE_UNLOCK: "`createRun` of kind UNLOCK.",
  PAUSE: "`updateWorkspace` with `paused: true`.",
  RESUME: "`updateWorkspace` with `paused: false`.",
  LOCK: "`lockWorkspace`: set a lock, or change the caller's own lock.",
  UNLOCK: "`unlockWorkspace` without force.",
  FORCE_UNLOCK: "`unlockWorkspace` with `force`.",
  UPDATE: "`updateWorkspace` of its name, description, source and `lockScope`.",
  UPDATE_GATES: "`updateWorkspace` of the settings that guard applies: gates, approval rules, limits, freeze windows.",
  UPDATE_HOOKS: "`updateWorkspace` of its hooks.",
  UPDATE_RUNNER: "`updateWorkspace` of its runner pool and labels.",
  SET_VARIABLE: "`setVariable` and `deleteVariable`.",
  IMPORT_STATE: "`POST /workspaces/<id>/state`: import a state that was made elsewhere.",
  ROLLBACK_STATE: "`rollbackState` to an older version.",
  FORCE_UNLOCK_STATE: "`forceUnlockState`: break the engine's lock on the state.",
  DELETE: "`deleteWorkspace` without force.",
});

const AvailabilityRef = builder.objectRef<WorkspaceActionAvailability>("WorkspaceActionAvailability").implement({
  description: "An action, and whether the caller may take it now.",
  fields: (t) => ({
    action: t.expose("action", { type: WorkspaceActionEnum, description: "The action." }),
    allowed: t.exposeBoolean("allowed", { description: "Whether the command would be accepted and change something." }),
    code: t.expose("code", {
      type: UserErrorCodeEnum,
      nullable: true,
      description:
        "The code of the user error that the command would return. `null` if it is allowed, or would change nothing.",
    }),
    reason: t.exposeString("reason", { nullable: true, description: "The reason in words. `null` if it is allowed." }),
  }),
});

builder.objectField(WorkspaceRef, "actions", (t) =>
  t.field({
    type: [AvailabilityRef],
    extensions: { ...ACTOR_DEPENDENT, ...requiredPermissions("WORKSPACE_READ", ...WORKSPACE_ACTION_PERMISSIONS) },
    description: "Every action, and whether the caller may take it now. Empty if the workspace was deleted.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(workspaceActionsLoader, id),
  }),
);
