import type { Commands } from "../kit/bind-commands.ts";
import { adoptRecoveredState } from "./adopt-recovered-state.ts";
import { discardRecoveredState } from "./discard-recovered-state.ts";

/** The commands about recovered states, by name. */
export const RECOVERED_STATE_COMMANDS = {
  adoptRecoveredState: {
    run: adoptRecoveredState,
    errors: [
      "INVALID_INPUT",
      "NOT_FOUND",
      "FORBIDDEN",
      "REAUTHENTICATION_REQUIRED",
      "WORKSPACE_LOCKED",
      "RUN_STATE_CONFLICT",
    ],
  },
  discardRecoveredState: {
    run: discardRecoveredState,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
} as const satisfies Commands;
