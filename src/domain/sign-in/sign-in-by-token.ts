import { LIMITS } from "../../model/kit/limits.ts";
import { ADMIN_TOKEN_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { spendAttempt } from "../../persistence/people/identity-store.ts";
import { findTokenInForce, findTokensBySecret, type TokenInForce } from "../../persistence/people/token-store.ts";
import { isExchangedToken } from "../../persistence/people/trust-rule-store.ts";
import type { Deps } from "../kit/deps.ts";
import { tokenTime } from "../token/authenticate.ts";
import { createIsInNetworks } from "../token/networks.ts";
import { canBeSecret, hashSecret } from "../token/secret.ts";
import { type Browser, type OpenedSession, openSession } from "./open-session.ts";
import { SignInRefused } from "./sign-in-refused.ts";

const REFUSED = "This is no token that is in force. Copy all of it, without blanks.";
const isInNetworks = createIsInNetworks();

/**
 * Opens a session with a token of the API that a person typed. The session has no more rights than the token and ends
 * with it; the browser keeps no copy of the token.
 *
 * @throws SignInRefused if the token is unknown, has ended, may not be used from the address, or was exchanged
 */
export function signInByToken(deps: Deps, secret: string, browser: Browser): Promise<OpenedSession> {
  return deps.database.transaction(async (tx) => {
    const at = deps.clock();
    const [token = null] = canBeSecret(secret) ? await findTokensBySecret(tx, [hashSecret(secret)], tokenTime(at)) : [];
    if (token === null) throw new SignInRefused(REFUSED);
    return open(tx, deps, token, browser, at);
  });
}

/**
 * Opens a session of the admin token of the installation for the link that a start prints. `link`: what the server
 * signed, which is good once.
 *
 * @throws SignInRefused if the link was used before, or the admin token is off
 */
export function signInByLink(deps: Deps, link: string, browser: Browser): Promise<OpenedSession> {
  return deps.database.transaction(async (tx) => {
    const at = deps.clock();
    const until = new Date(at.getTime() + LIMITS.signInMs).toISOString();
    if (!(await spendAttempt(tx, hashSecret(link), until))) throw new SignInRefused("The link was used before.");
    const token = await findTokenInForce(tx, ADMIN_TOKEN_ID, tokenTime(at));
    if (token === null) throw new SignInRefused("The admin token is off, and so is the link.");
    return open(tx, deps, token, browser, at);
  });
}

async function open(
  tx: Transaction,
  deps: Deps,
  { id: tokenId, actor, networks }: TokenInForce,
  browser: Browser,
  at: Date,
): Promise<OpenedSession> {
  if (networks.length > 0 && !isInNetworks(browser.address ?? "", networks)) throw new SignInRefused(REFUSED);
  if (await isExchangedToken(tx, tokenId)) {
    throw new SignInRefused("A token that was exchanged for another opens no session: it ends with its trust rule.");
  }
  const session = { actor, method: "TOKEN", browser, presentAt: at.toISOString(), tokenId } as const;
  return openSession(tx, deps, session, null, at);
}
