import { idKind } from "../../model/kit/id.ts";
import { UserError } from "../../model/kit/user-error.ts";
import { ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { INSTALLATION, organizationPlace } from "../../model/people/place.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockToken, type TokenOfOwner } from "../../persistence/people/token-store.ts";
import { requireSomewhere } from "../access/command.ts";

/**
 * Describes a command about a token: one's own, one of a machine user of an organization, or, with the permission on the
 * installation, any. `words`: for the error without the permission.
 */
export function onToken(caller: ActorCaller, name: string, tokenId: string, words: string) {
  const demand = { permission: "TOKEN_WRITE", words } as const;
  return {
    ...demand,
    name,
    presence: "FOR_OTHERS",
    subjectId: tokenId,
    noun: "token",
    find: async (tx: Transaction) => {
      const found = idKind(tokenId) === "token" ? await lockToken(tx, tokenId) : null;
      // The same answer for a token of another and for one that does not exist.
      if (found?.token.actor.id !== caller.actor.id) requireSomewhere(caller, demand);
      return found;
    },
    placeOf: ({ organizationId }: TokenOfOwner) =>
      organizationId === null ? INSTALLATION : organizationPlace({ id: organizationId }),
    isOwn: ({ token }: TokenOfOwner) => token.actor.id === caller.actor.id,
    sight: "TOKEN_WRITE",
  } as const;
}

/** Throws FORBIDDEN for the installation's own admin token, which the configuration alone changes. */
export function refuseAdminToken(tokenId: string, verb: "revoked" | "rotated" | "changed"): void {
  if (tokenId !== ADMIN_TOKEN_ID) return;
  const message = `The installation's own admin token cannot be ${verb}. Replace it with HOLDPOINT_ADMIN_TOKEN at the next start.`;
  throw new UserError("FORBIDDEN", message);
}
