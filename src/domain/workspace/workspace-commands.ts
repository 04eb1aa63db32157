import type { Commands } from "../kit/bind-commands.ts";
import { createWorkspace } from "./create-workspace.ts";
import { deleteVariable } from "./delete-variable.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { lockWorkspace } from "./lock-workspace.ts";
import { setVariable } from "./set-variable.ts";
import { unlockWorkspace } from "./unlock-workspace.ts";
import { updateWorkspace } from "./update-workspace.ts";

/** The commands about workspaces and their variables, by name. */
export const WORKSPACE_COMMANDS = {
  createWorkspace: { run: createWorkspace, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deleteVariable: { run: deleteVariable, errors: ["NOT_FOUND", "FORBIDDEN"] },
  deleteWorkspace: {
    run: deleteWorkspace,
    errors: [
      "INVALID_INPUT",
      "NOT_FOUND",
      "FORBIDDEN",
      "REAUTHENTICATION_REQUIRED",
      "WORKSPACE_LOCKED",
      "RUN_STATE_CONFLICT",
    ],
  },
  lockWorkspace: { run: lockWorkspace, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "WORKSPACE_LOCKED"] },
  setVariable: { run: setVariable, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  unlockWorkspace: {
    run: unlockWorkspace,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "WORKSPACE_LOCKED"],
  },
  updateWorkspace: {
    run: updateWorkspace,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
} as const satisfies Commands;
