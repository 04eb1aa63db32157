import type { Commands } from "../kit/bind-commands.ts";
import { concludeVerification } from "./conclude-verification.ts";

/** The commands about verifications, by name. */
export const VERIFICATION_COMMANDS = {
  concludeVerification: {
    run: concludeVerification,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "RUN_STATE_CONFLICT"],
  },
} as const satisfies Commands;
