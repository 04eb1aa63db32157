import { ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import { revokeToken as revoke } from "../../persistence/people/token-store.ts";
import { command, ON_INSTALLATION } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";

const OWN_TOKEN =
  "The installation's own admin token cannot be revoked. Replace it with HOLDPOINT_ADMIN_TOKEN at the next start.";

/** Revokes a token at once. The installation's own admin token is changed by the configuration instead. */
export function revokeToken(deps: Deps, caller: ActorCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  const spec = {
    ...ON_INSTALLATION,
    name: "revokeToken",
    subjectId: tokenId,
    sight: "TOKEN_WRITE",
    permission: "TOKEN_WRITE",
    words: "revoking tokens",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    if (tokenId === ADMIN_TOKEN_ID) throw new UserError("FORBIDDEN", OWN_TOKEN);
    tx.announce(`token:${tokenId}`);
    const revoked = idKind(tokenId) === "token" && (await revoke(tx, tokenId, deps.clock().toISOString()));
    if (!revoked) throw notFound("token");
    return tokenId;
  });
}
