import type { Commands } from "../kit/bind-commands.ts";
import { setWorkspaceDependencies } from "./set-workspace-dependencies.ts";

/** The commands about dependencies, by name. */
export const DEPENDENCY_COMMANDS = {
  setWorkspaceDependencies: {
    run: setWorkspaceDependencies,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "DEPENDENCY_CYCLE"],
  },
} as const satisfies Commands;
