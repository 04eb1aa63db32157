import { createWorkspace } from "./create-workspace.ts";
import { deleteVariable } from "./delete-variable.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { lockWorkspace } from "./lock-workspace.ts";
import { setVariable } from "./set-variable.ts";
import { unlockWorkspace } from "./unlock-workspace.ts";
import { updateWorkspace } from "./update-workspace.ts";

/** The commands about workspaces and their variables, by name. */
export const WORKSPACE_COMMANDS = {
  createWorkspace,
  deleteVariable,
  deleteWorkspace,
  lockWorkspace,
  setVariable,
  unlockWorkspace,
  updateWorkspace,
};
