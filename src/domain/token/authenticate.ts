import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  findTokensBySecret,
  putAdminToken,
  revokeToken,
  type TokenInForce,
  type TokenTime,
  touchToken,
} from "../../persistence/people/token-store.ts";
import { hasAdministratorToSignIn } from "../../persistence/people/administration-store.ts";
import { InstallationError } from "../../persistence/installation/installation-store.ts";
import type { Deps } from "../kit/deps.ts";
import { batchReads } from "../kit/batch-reads.ts";
import { createIsInNetworks } from "./networks.ts";
import { endTokenSessions } from "./token-sessions.ts";
import { canBeSecret, hashSecret, hexHash } from "./secret.ts";

const SECRET_LENGTH = 512;
/** The resolution of the time of last use. A write per request would cost more than the request. */
export const TOUCH_EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the caller of a secret; `null` if it is unknown or has ended, or the token is bound to networks and `addressOf`
 * gives no address in them. `addressOf`: the address that sent it; absent: not known.
 */
export type Authenticate = (secret: string, addressOf?: () => string | null) => Promise<ActorCaller | null>;

/** Returns the instant, and the time since which a token must have been in use to be in force at it. */
export function tokenTime(at: Date): TokenTime {
  return { at: at.toISOString(), idleSince: new Date(at.getTime() - LIMITS.tokenIdleDays * DAY_MS).toISOString() };
}

/**
 * Creates the function that finds the caller of a secret. Concurrent requests share a look-up. Nothing about the token is
 * cached, and its rights only by the version that comes with the look-up, so what was revoked is refused at once.
 */
export function createAuthenticate(deps: Deps): Authenticate {
  const isInNetworks = createIsInNetworks();
  const find = batchReads(
    (hashes) =>
      findTokensBySecret(
        deps.database,
        hashes.map((hash) => Buffer.from(hash, "hex")),
        tokenTime(deps.clock()),
      ),
    LIMITS.keysPerRead,
  );
  return async (secret, addressOf = () => null) => {
    if (secret.length === 0 || secret.length > SECRET_LENGTH || !canBeSecret(secret)) return null;
    const [token = null] = await find([hexHash(secret)]);
    if (token === null) return null;
    if (token.networks.length > 0 && !isInNetworks(addressOf() ?? "", token.networks)) return null;
    const at = deps.clock();
    if (token.lastUsedAt === null || at.getTime() - Date.parse(token.lastUsedAt) > TOUCH_EVERY_MS) {
      await touchToken(deps.database, { id: token.id, from: addressOf() }, at, TOUCH_EVERY_MS);
    }
    return callerOf(deps, token);
  };
}

/** Returns the caller of a token in force, with its rights of now. */
export async function callerOf({ rights: cache }: Pick<Deps, "rights">, token: TokenInForce): Promise<ActorCaller> {
  const { id, actor, expiresAt, networks, identifiedBy, sponsor, accessVersion: version } = token;
  const holder = { credentialId: id, principalId: actor.id, cap: token };
  const { rights, accessVersion, until } = await cache.rightsOf(holder, version);
  return {
    type: "actor",
    credential: "TOKEN",
    credentialId: id,
    actor,
    rights,
    accessVersion,
    ...(until !== null && { rightsUntil: until }),
    ...(expiresAt !== null && { expiresAt }),
    ...(networks.length > 0 && { networks }),
    ...(identifiedBy !== null && { identifiedBy }),
    ...(sponsor !== null && { sponsor }),
  };
}

/** Sets the secret of the installation's own admin token. */
export async function installAdminToken(deps: Pick<Deps, "database" | "clock">, secret: string): Promise<void> {
  const token = { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: hashSecret(secret) };
  const at = deps.clock().toISOString();
  await deps.database.transaction(async (tx) => {
    if (await putAdminToken(tx, { ...token, at })) await endTokenSessions(tx, ADMIN_TOKEN_ID, at);
  });
}

const NO_ADMINISTRATOR =
  "HOLDPOINT_ADMIN_TOKEN is off, but no other administrator can sign in. Start with a token, grant the role ADMIN on the " +
  "installation to a person with a passkey or an identity, without an end, or set HOLDPOINT_OIDC_ADMIN_GROUP.";

/**
 * Ends the installation's own admin token, and what was opened with it. `hasGroup`: the people of a group of the identity
 * provider administer. Throws InstallationError if no one could administer afterwards.
 */
export async function retireAdminToken(
  deps: Pick<Deps, "database" | "clock" | "publicUrl">,
  { hasProvider, hasGroup }: { hasProvider: boolean; hasGroup: boolean },
): Promise<void> {
  const at = deps.clock().toISOString();
  await deps.database.transaction(async (tx) => {
    const canSignIn = deps.publicUrl !== null && (hasGroup || (await hasAdministratorToSignIn(tx, hasProvider)));
    if (!canSignIn) throw new InstallationError(NO_ADMINISTRATOR);
    await revokeToken(tx, ADMIN_TOKEN_ID, at);
    await endTokenSessions(tx, ADMIN_TOKEN_ID, at);
  });
}
