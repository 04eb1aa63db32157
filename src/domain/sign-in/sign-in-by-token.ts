import { LIMITS } from "../../model/kit/limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { spendAttempt } from "../../persistence/people/identity-store.ts";
import { lockSecret } from "../../persistence/people/secret-store.ts";
import { findTokenInForce, touchToken } from "../../persistence/people/token-store.ts";
import { isExchangedToken } from "../../persistence/people/trust-rule-store.ts";
import type { Deps } from "../kit/deps.ts";
import { TOUCH_EVERY_MS, tokenTime } from "../token/authenticate.ts";
import { createIsInNetworks } from "../token/networks.ts";
import { canBeSecret, hashSecret } from "../token/secret.ts";
import { type Browser, type OpenedSession, openSession } from "./open-session.ts";
import { SignInRefused } from "./sign-in-refused.ts";

const REFUSED = "This is no token that is in force. Copy all of it, without blanks.";
const isInNetworks = createIsInNetworks();

/**
 * Opens a session with a token of the API that a person typed. The session has no more rights than the token and ends
 * with it, or with the secret that was typed if the token got another one; the browser keeps no copy.
 *
 * @throws SignInRefused if the token is unknown, has ended, may not be used from the address, or was exchanged
 */
export function signInByToken(deps: Deps, secret: string, browser: Browser): Promise<OpenedSession> {
  if (!canBeSecret(secret)) return Promise.reject(new SignInRefused(REFUSED));
  return deps.database.transaction(async (tx) => {
    const opened = await open(tx, deps, hashSecret(secret), browser);
    if (opened === null) throw new SignInRefused(REFUSED);
    return opened;
  });
}

/** A link that a start prints. It is good once, while the admin token of the installation has the secret of that start. */
export interface StartLink {
  /** Its digest. */
  digest: Buffer;
  /** The digest of the secret of the admin token. */
  secretHash: Buffer;
}

/**
 * Opens a session of the admin token of the installation for the link that a start prints.
 *
 * @throws SignInRefused if the link was used before, or the admin token is off or has another secret
 */
export function signInByLink(deps: Deps, { digest, secretHash }: StartLink, browser: Browser): Promise<OpenedSession> {
  return deps.database.transaction(async (tx) => {
    const until = new Date(deps.clock().getTime() + LIMITS.signInMs).toISOString();
    if (!(await spendAttempt(tx, digest, until))) throw new SignInRefused("The link was used before.");
    const opened = await open(tx, deps, secretHash, browser);
    if (opened === null)
      throw new SignInRefused("The admin token of the link is off or was replaced, and so is the link.");
    return opened;
  });
}

/** Opens a session of the token with a secret; `null` if there is none that may be used from the address of the browser. */
async function open(tx: Transaction, deps: Deps, hash: Buffer, browser: Browser): Promise<OpenedSession | null> {
  const at = deps.clock();
  // Locked: a rotation or a revocation at the same time ends the session, or is seen here.
  const secret = await lockSecret(tx, hash, at.toISOString());
  const found = secret === null ? null : await findTokenInForce(tx, secret.tokenId, tokenTime(at));
  if (secret === null || found === null) return null;
  const { id, actor, networks, expiresAt } = found;
  if (networks.length > 0 && !isInNetworks(browser.address ?? "", networks)) return null;
  if (await isExchangedToken(tx, id)) {
    throw new SignInRefused("A token that was exchanged for another opens no session: it ends with its trust rule.");
  }
  await touchToken(tx, { id, from: browser.address }, at, TOUCH_EVERY_MS);
  const token = { id, secretUntil: secret.until, expiresAt };
  return openSession(tx, deps, { actor, method: "TOKEN", browser, presentAt: at.toISOString(), token }, null, at);
}
