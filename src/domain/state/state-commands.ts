import type { Commands } from "../kit/bind-commands.ts";
import { forceUnlockState } from "./force-unlock-state.ts";
import { rollbackState } from "./rollback-state.ts";

/** The commands about states, by name. */
export const STATE_COMMANDS = {
  forceUnlockState: {
    run: forceUnlockState,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "RUN_STATE_CONFLICT"],
  },
  rollbackState: {
    run: rollbackState,
    errors: [
      "INVALID_INPUT",
      "NOT_FOUND",
      "FORBIDDEN",
      "REAUTHENTICATION_REQUIRED",
      "IDEMPOTENCY_CONFLICT",
      "POLICY_DENIED",
    ],
  },
} as const satisfies Commands;
