import { createToken } from "./create-token.ts";
import { revokeToken } from "./revoke-token.ts";

/** The commands about tokens of the API, by name. */
export const TOKEN_COMMANDS = {
  createToken,
  revokeToken,
};
