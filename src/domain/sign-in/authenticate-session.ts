import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import {
  findSessionsBySecret,
  type SessionInForce,
  type SessionTime,
  touchSession,
} from "../../persistence/people/session-store.ts";
import { batchReads } from "../kit/batch-reads.ts";
import type { Deps } from "../kit/deps.ts";
import { hexHash } from "../token/secret.ts";

/** The resolution of the time of the last request. */
const TOUCH_EVERY_MS = 60_000;
const SECRET_LENGTH = 64;

/** Returns the instant, and the time since which a session must have been in use to be in force at it. */
export function sessionTime(at: Date): SessionTime {
  return { at: at.toISOString(), idleSince: new Date(at.getTime() - LIMITS.sessionIdleMs).toISOString() };
}

/** Returns the caller of the secret of a session; `null` if it is unknown or the session has ended. */
type FindCaller = (secret: string) => Promise<ActorCaller | null>;

/**
 * Creates the functions that find the caller of a session. They take one statement, which concurrent requests share, and
 * cache nothing of the session. `authenticate` is for requests and notes that the session is in use; `recheck` is for
 * connections that stay open, which do not keep a session from ending without a request.
 */
export function createAuthenticateSession(deps: Deps): { authenticate: FindCaller; recheck: FindCaller } {
  const find = batchReads(
    (hashes) =>
      findSessionsBySecret(
        deps.database,
        hashes.map((hash) => Buffer.from(hash, "hex")),
        sessionTime(deps.clock()),
      ),
    LIMITS.keysPerRead,
  );
  async function inForce(secret: string): Promise<SessionInForce | null> {
    if (secret.length > SECRET_LENGTH) return null;
    const [session = null] = await find([hexHash(secret)]);
    return session;
  }
  return {
    async authenticate(secret) {
      const session = await inForce(secret);
      if (session === null) return null;
      const at = deps.clock();
      if (at.getTime() - Date.parse(session.seenAt) > TOUCH_EVERY_MS) {
        await touchSession(deps.database, session.id, at, TOUCH_EVERY_MS);
      }
      return callerOfSession(deps, session);
    },
    async recheck(secret) {
      const session = await inForce(secret);
      return session === null ? null : callerOfSession(deps, session);
    },
  };
}

/** Returns the caller of a session in force, with its rights of now. */
export async function callerOfSession(
  { rights: cache }: Pick<Deps, "rights">,
  session: SessionInForce,
): Promise<ActorCaller> {
  const { id, actor, expiresAt, presentAt, identifiedBy, sponsor, accessVersion: version } = session;
  const holder = { credentialId: id, principalId: actor.id, cap: null };
  const { rights, accessVersion, until } = await cache.rightsOf(holder, version);
  const caller = { type: "actor", credential: "SESSION", credentialId: id, actor, rights, accessVersion } as const;
  return {
    ...caller,
    expiresAt,
    ...(until !== null && { rightsUntil: until }),
    ...(presentAt !== null && { presentAt }),
    ...(identifiedBy !== null && { identifiedBy }),
    ...(sponsor !== null && { sponsor }),
  };
}
