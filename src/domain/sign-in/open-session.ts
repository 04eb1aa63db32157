import { LIMITS } from "../../model/kit/limits.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { ProviderSession, SignInMethod } from "../../model/people/session.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertSession, revokeSessions, type ShownToken } from "../../persistence/people/session-store.ts";
import type { Deps } from "../kit/deps.ts";
import { hashSecret } from "../token/secret.ts";
import { newSessionSecret } from "./session-secret.ts";

/** The browser that signs in. */
export interface Browser {
  /** Its network address; `null` if unknown. */
  address: string | null;
  userAgent: string | null;
  /** The secret of the session that it has now, which ends; `null` if it has none. */
  formerSecret: string | null;
}

/** A session that was opened: the secret for the cookie, which is kept nowhere else. */
export interface OpenedSession {
  actor: Actor;
  secret: string;
  expiresAt: string;
}

/** Describes a session to open. `presentAt`: when the person proved to be present; `null` if unknown. */
interface NewSession {
  actor: Actor;
  method: SignInMethod;
  browser: Browser;
  presentAt: string | null;
  /** The token that was shown, for the method TOKEN. `expiresAt`: when it ends; `null`: never. */
  token?: ShownToken & { expiresAt: string | null };
}

const USER_AGENT_LENGTH = 200;

/** Opens a session with a new secret. The one that the browser had ends, also if it belonged to another person. */
export async function openSession(
  tx: Transaction,
  deps: Pick<Deps, "newId" | "randomBytes">,
  { actor, method, browser, presentAt, token }: NewSession,
  provider: ProviderSession | null,
  at: Date,
): Promise<OpenedSession> {
  const { address, userAgent, formerSecret } = browser;
  const now = at.toISOString();
  const secret = newSessionSecret(deps.randomBytes);
  const longest = new Date(at.getTime() + LIMITS.sessionMs).toISOString();
  const expiresAt = earliest(longest, token?.secretUntil ?? null, token?.expiresAt ?? null);
  const times = { createdAt: now, seenAt: now, presentAt, expiresAt };
  const named = userAgent?.replaceAll("\0", "").slice(0, USER_AGENT_LENGTH).toWellFormed() ?? null;
  const session = { id: deps.newId("session"), actor, method, address, userAgent: named, ...times };
  await insertSession(tx, session, hashSecret(secret), { provider, token: token ?? null });
  if (formerSecret !== null) {
    const ended = await revokeSessions(tx, { secretHash: hashSecret(formerSecret) }, now);
    for (const id of ended) tx.announce(`token:${id}`);
  }
  return { actor, secret, expiresAt };
}

function earliest(first: string, ...others: readonly (string | null)[]): string {
  return others.reduce<string>((least, end) => (end !== null && end < least ? end : least), first);
}
