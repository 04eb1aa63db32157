import { ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import { idKind } from "../../model/kit/id.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { forbidden, notFound } from "../../model/kit/user-error.ts";
import { revokeToken as revoke } from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorize, recorded } from "../kit/guard.ts";

/** Ends a token at once. The installation's own admin token is changed by its configuration, not here. */
export function revokeToken(deps: Deps, caller: TokenCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  return recorded(deps, caller, "revokeToken", tokenId, async () => {
    authorize(caller, "token:write", "revoking tokens");
    if (tokenId === ADMIN_TOKEN_ID) throw forbidden("revoking the installation's own admin token");
    const at = deps.clock().toISOString();
    const revoked =
      idKind(tokenId) === "token" &&
      (await deps.database.transaction((tx) => {
        tx.announce(`token:${tokenId}`);
        return revoke(tx, tokenId, at);
      }));
    if (!revoked) throw notFound("token");
    return tokenId;
  });
}
