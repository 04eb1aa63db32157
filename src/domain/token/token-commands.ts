import type { Commands } from "../kit/bind-commands.ts";
import { createToken } from "./create-token.ts";
import { revokeToken } from "./revoke-token.ts";

/** The commands about tokens of the API, by name. */
export const TOKEN_COMMANDS = {
  createToken: { run: createToken, errors: ["INVALID_INPUT", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"] },
  revokeToken: { run: revokeToken, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
} as const satisfies Commands;
