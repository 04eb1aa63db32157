import { LIMITS } from "../../model/kit/limits.ts";
import { notFound, UserError } from "../../model/kit/user-error.ts";
import { type ActorCaller, tokenIdOf } from "../../model/people/permission.ts";
import { isLive, type Token } from "../../model/people/token.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { putRotatedSecret, type TokenOfOwner } from "../../persistence/people/token-store.ts";
import { requireGrantsOf } from "../access/attenuation.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { areWithin } from "./networks.ts";
import { requireOwnRights } from "./own-rights.ts";
import { hashSecret, newSecret } from "./secret.ts";
import { onToken, refuseAdminToken } from "./token-command.ts";
import { endTokenSessions } from "./token-sessions.ts";
import { checkTokenEnd, endOfOwn, tokenEnd } from "./token-end.ts";

export interface RotateTokenInput {
  tokenId: string;
  /** For how long the former secret is good; `null`: a day. */
  overlapHours: number | null;
  /** `null`: the end that the token has. */
  expiresAt: string | null;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Gives a token a new secret; its id, owner and limits stay. The former secret is good for the overlap, and the one before
 * it, if it still was, ends at once.
 *
 * Who gets the secret acts as the owner of the token. So it is one's own, or that of a machine user whose grants the
 * caller has itself.
 */
export function rotateToken(
  deps: Deps,
  caller: ActorCaller,
  input: RotateTokenInput,
): Promise<{ token: Token; secret: string }> {
  const { tokenId } = input;
  const overlapHours = input.overlapHours ?? LIMITS.rotationHours;
  const now = deps.clock();
  const end = tokenEnd(input.expiresAt, now);
  const spec = {
    ...onToken(caller, "rotateToken", tokenId, "rotating tokens of machine users"),
    presence: "ALWAYS" as const,
    check: (check: InputCheck, { token }: TokenOfOwner) => {
      const most = LIMITS.rotationHoursMost;
      const isInRange = overlapHours >= 0 && overlapHours <= most;
      check.require(isInRange, "overlapHours", `must be 0 to ${most}. With 0 the former secret ends at once.`);
      if (input.expiresAt !== null) checkTokenEnd(check, { ...end, own: endOfOwn(caller, token.actor.id) });
    },
  };
  return command(deps, caller, spec, async (tx, { token }) => {
    refuseAdminToken(tokenId, "rotated");
    if (!isLive(token, end.at)) throw notFound("token");
    await requireSecretOf(tx, deps, caller, token, input.expiresAt);
    const secret = newSecret(deps.randomBytes);
    const expiresAt = input.expiresAt ?? token.expiresAt;
    const formerUntil = overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
    await putRotatedSecret(tx, { id: tokenId, secretHash: hashSecret(secret), formerUntil, expiresAt, at: end.at });
    await endTokenSessions(tx, tokenId, end.at);
    return { token: { ...token, expiresAt, rotatedAt: end.at }, secret };
  });
}

/**
 * Throws FORBIDDEN unless the caller may have the secret of a token: it is that token itself, or the caller has all rights
 * of its owner. A token that is limited cannot extend itself.
 */
async function requireSecretOf(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { id, actor, networks }: Token,
  expiresAt: string | null,
): Promise<void> {
  if (caller.networks !== undefined && !areWithin(networks, caller.networks)) {
    throw new UserError("FORBIDDEN", "Your token is bound to networks, and this one may be used from others.");
  }
  if (actor.id !== caller.actor.id) {
    if (actor.kind === "MACHINE") return requireGrantsOf(tx, deps, caller, actor.id);
    throw new UserError("FORBIDDEN", "A token of another person is not rotated. Revoke it instead.");
  }
  if (tokenIdOf(caller) === id && expiresAt === null) return;
  await requireOwnRights(tx, deps, caller, "rotate other tokens, or give itself a later end");
}
