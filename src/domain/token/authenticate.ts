import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  findTokensBySecret,
  putAdminToken,
  type TokenInForce,
  touchToken,
} from "../../persistence/people/token-store.ts";
import type { Deps } from "../kit/deps.ts";
import { batchReads } from "../kit/batch-reads.ts";
import { canBeSecret, hashSecret, hexHash } from "./secret.ts";

const SECRET_LENGTH = 512;
/** The resolution of the time of last use. A write per request would cost more than the request. */
const TOUCH_EVERY_MS = 60_000;

/**
 * Creates the function that returns the caller of a secret; `null` if it is unknown, revoked or expired. Concurrent
 * requests share a look-up. Nothing about the token is cached, and its rights only by the version that comes with the
 * look-up, so what was revoked is refused at once.
 */
export function createAuthenticate(deps: Deps): (secret: string) => Promise<ActorCaller | null> {
  const find = batchReads(
    (hashes) =>
      findTokensBySecret(
        deps.database,
        hashes.map((hash) => Buffer.from(hash, "hex")),
        deps.clock().toISOString(),
      ),
    LIMITS.keysPerRead,
  );
  return async (secret) => {
    if (secret.length === 0 || secret.length > SECRET_LENGTH || !canBeSecret(secret)) return null;
    const [token = null] = await find([hexHash(secret)]);
    if (token === null) return null;
    const at = deps.clock();
    if (token.lastUsedAt === null || at.getTime() - Date.parse(token.lastUsedAt) > TOUCH_EVERY_MS) {
      await touchToken(deps.database, token.id, at, TOUCH_EVERY_MS);
    }
    return callerOf(deps, token);
  };
}

/** Returns the caller of a token in force, with its rights of now. */
export async function callerOf({ rights: cache }: Pick<Deps, "rights">, token: TokenInForce): Promise<ActorCaller> {
  const { id, actor, expiresAt, accessVersion: version } = token;
  const holder = { credentialId: id, actorId: actor.id, cap: token };
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
  };
}

/** Sets the secret of the installation's own admin token. */
export async function installAdminToken(deps: Pick<Deps, "database" | "clock">, secret: string): Promise<void> {
  const token = { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: hashSecret(secret) };
  await deps.database.transaction(async (tx) => {
    await putAdminToken(tx, { ...token, at: deps.clock().toISOString() });
    // Ends the connections that were opened with the earlier secret.
    tx.announce(`token:${ADMIN_TOKEN_ID}`);
  });
}
