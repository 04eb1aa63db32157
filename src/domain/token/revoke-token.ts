import { notFound } from "../../model/kit/user-error.ts";
import { type ActorCaller, tokenIdOf } from "../../model/people/permission.ts";
import { revokeToken as revoke } from "../../persistence/people/token-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import { requireOwnCredentials } from "./own-rights.ts";
import { endTokenSessions } from "./token-sessions.ts";
import { onToken, refuseAdminToken } from "./token-command.ts";

/**
 * Revokes a token at once: one's own, one of a machine user of an organization, or, with the permission on the
 * installation, any.
 */
export function revokeToken(deps: Deps, caller: ActorCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  return command(deps, caller, onToken(caller, "revokeToken", tokenId, "revoking tokens"), async (tx, { token }) => {
    refuseAdminToken(tokenId, "revoked");
    const isOther = token.actor.id === caller.actor.id && tokenIdOf(caller) !== tokenId;
    if (isOther) await requireOwnCredentials(tx, deps, caller, "revoke other tokens");
    const at = deps.clock().toISOString();
    await endTokenSessions(tx, tokenId, at);
    if (!(await revoke(tx, tokenId, at))) throw notFound("token");
    return tokenId;
  });
}
