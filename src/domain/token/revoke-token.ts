import { ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { INSTALLATION, organizationPlace } from "../../model/people/place.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findTokenOwner, revokeToken as revoke, type TokenOwner } from "../../persistence/people/token-store.ts";
import { command, requireSomewhere } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";

const OWN_TOKEN =
  "The installation's own admin token cannot be revoked. Replace it with HOLDPOINT_ADMIN_TOKEN at the next start.";

/**
 * Revokes a token at once: one's own, one of a machine user of an organization, or, with the permission on the
 * installation, any. The installation's own admin token is changed by the configuration instead.
 */
export function revokeToken(deps: Deps, caller: ActorCaller, input: { tokenId: string }): Promise<string> {
  const { tokenId } = input;
  const demand = { permission: "TOKEN_WRITE", words: "revoking tokens" } as const;
  const spec = {
    ...demand,
    name: "revokeToken",
    presence: "FOR_OTHERS",
    subjectId: tokenId,
    noun: "token",
    find: async (tx: Transaction) => {
      const owner = idKind(tokenId) === "token" ? await findTokenOwner(tx, tokenId) : null;
      // The same answer for a token of another and for one that does not exist.
      if (owner?.actorId !== caller.actor.id) requireSomewhere(caller, demand);
      return owner;
    },
    placeOf: ({ organizationId }: TokenOwner) =>
      organizationId === null ? INSTALLATION : organizationPlace({ id: organizationId }),
    isOwn: ({ actorId }: TokenOwner) => actorId === caller.actor.id,
    sight: "TOKEN_WRITE",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    if (tokenId === ADMIN_TOKEN_ID) throw new UserError("FORBIDDEN", OWN_TOKEN);
    tx.announce(`token:${tokenId}`);
    if (!(await revoke(tx, tokenId, deps.clock().toISOString()))) throw notFound("token");
    return tokenId;
  });
}
