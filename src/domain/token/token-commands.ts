import type { Commands } from "../kit/bind-commands.ts";
import { createToken } from "./create-token.ts";
import { revokeToken } from "./revoke-token.ts";
import { rotateToken } from "./rotate-token.ts";
import { updateToken } from "./update-token.ts";

/** The commands about tokens of the API, by name. */
export const TOKEN_COMMANDS = {
  createToken: { run: createToken, errors: ["INVALID_INPUT", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"] },
  updateToken: {
    run: updateToken,
    errors: ["NOT_FOUND", "INVALID_INPUT", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
  rotateToken: { run: rotateToken, errors: ["NOT_FOUND", "INVALID_INPUT", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  revokeToken: { run: revokeToken, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
} as const satisfies Commands;
