import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import {
  findSessionsBySecret,
  type SessionInForce,
  type SessionTime,
  type TokenOfSession,
  touchSession,
} from "../../persistence/people/session-store.ts";
import type { Authenticate } from "../token/authenticate.ts";
import { createIsInNetworks } from "../token/networks.ts";
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

/**
 * Creates the functions that find the caller of a session. They take one statement, which concurrent requests share, and
 * cache nothing of the session. `authenticate` is for requests and notes that the session is in use; `recheck` is for
 * connections that stay open, which do not keep a session from ending without a request.
 */
export function createAuthenticateSession(deps: Deps): { authenticate: Authenticate; recheck: Authenticate } {
  const isInNetworks = createIsInNetworks();
  const find = batchReads(
    (hashes) =>
      findSessionsBySecret(
        deps.database,
        hashes.map((hash) => Buffer.from(hash, "hex")),
        sessionTime(deps.clock()),
      ),
    LIMITS.keysPerRead,
  );
  async function inForce(secret: string, addressOf: () => string | null): Promise<SessionInForce | null> {
    if (secret.length > SECRET_LENGTH) return null;
    const [session = null] = await find([hexHash(secret)]);
    const networks = session?.token?.networks ?? [];
    return networks.length > 0 && !isInNetworks(addressOf() ?? "", networks) ? null : session;
  }
  return {
    async authenticate(secret, addressOf = () => null) {
      const session = await inForce(secret, addressOf);
      if (session === null) return null;
      const at = deps.clock();
      if (at.getTime() - Date.parse(session.seenAt) > TOUCH_EVERY_MS) {
        await touchSession(deps.database, session.id, at, TOUCH_EVERY_MS);
      }
      return callerOfSession(deps, session);
    },
    async recheck(secret, addressOf = () => null) {
      const session = await inForce(secret, addressOf);
      return session === null ? null : callerOfSession(deps, session);
    },
  };
}

/** Returns the caller of a session in force, with its rights of now. */
export async function callerOfSession(
  { rights: cache }: Pick<Deps, "rights">,
  session: SessionInForce,
): Promise<ActorCaller> {
  const { id, actor, presentAt, identifiedBy, sponsor, token, accessVersion: version } = session;
  const holder = { credentialId: id, principalId: actor.id, cap: token };
  const { rights, accessVersion, until } = await cache.rightsOf(holder, version);
  const caller = { type: "actor", credential: "SESSION", credentialId: id, actor, rights, accessVersion } as const;
  const expiresAt = [session.expiresAt, token?.expiresAt ?? session.expiresAt].toSorted()[0];
  return {
    ...caller,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(until !== null && { rightsUntil: until }),
    ...(token === null ? presentAt !== null && { presentAt } : ofToken(token, session)),
    ...(identifiedBy !== null && { identifiedBy }),
    ...(sponsor !== null && { sponsor }),
  };
}

function ofToken(
  { id, networks, expiresAt }: TokenOfSession,
  { createdAt }: SessionInForce,
): Pick<ActorCaller, "openedBy" | "networks"> {
  return { openedBy: { id, shownAt: createdAt, expiresAt }, ...(networks.length > 0 && { networks }) };
}
