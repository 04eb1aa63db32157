/** Signing in by the identity provider: the way there, the way back, and its logouts. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { LIMITS } from "../../model/kit/limits.ts";
import { ProfileRefused } from "../../model/people/profile.ts";
import { senderAddress } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { cookieName, readCookie, writeCookie } from "../kit/site.ts";
import type { HttpExchange } from "../route/route.ts";
import { readForm } from "./body.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { escapeHtml, renderPage, SIGN_IN_HEADERS } from "./page.ts";
import { returnPath } from "./return-path.ts";
import { browserOf, sessionCookie } from "./session-cookie.ts";
import type { SignInDeps } from "./sign-in-deps.ts";

type ProviderDeps = SignInDeps & { provider: IdentityProvider };

const RANDOM_BYTES = 32;
const ATTEMPT_COOKIE = "holdpoint-sign-in";

const attemptForm = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  startedAt: z.string(),
  fresh: z.boolean(),
});

/** Sends the browser to the provider. `?return=` is the path to return to; `?fresh=1` asks the person to sign in again. */
export async function beginAtProvider(deps: ProviderDeps, { request, response }: HttpExchange): Promise<void> {
  const { site, signIns, provider, clock } = deps;
  const query = new URL(request.url ?? "/", site.origin).searchParams;
  const random = (): string => randomBytes(RANDOM_BYTES).toString("base64url");
  const attempt = {
    state: random(),
    nonce: random(),
    verifier: random(),
    returnTo: returnPath(query.get("return"), site.origin),
    startedAt: clock().toISOString(),
    fresh: query.get("fresh") === "1",
  };
  const location = await provider.begin(attempt).catch((error: unknown) => {
    deps.onRefused(error, "begin");
    return null;
  });
  if (location === null) return answerProblem(response, 502, "The identity provider does not answer. Try again later.");
  const cookie = signIns.seal("attempt", JSON.stringify(attempt));
  response.setHeader("set-cookie", writeCookie(site, attemptCookie(deps), cookie, LIMITS.signInMs / 1000));
  response.writeHead(303, { location, "cache-control": "no-store", "referrer-policy": "no-referrer" }).end();
}

/** Takes the answer of the provider and opens a session. Every error gives the same page. */
export async function finishAtProvider(deps: ProviderDeps, { request, response }: HttpExchange): Promise<void> {
  const { site, signIns, provider, trustedProxies } = deps;
  const noAttempt = writeCookie(site, attemptCookie(deps), "", 0);
  response.setHeader("set-cookie", noAttempt);
  try {
    const attempt = readAttempt(signIns.open("attempt", readCookie(request, attemptCookie(deps))));
    if (attempt === null) throw new Error("The browser has no attempt to sign in, or it is too old.");
    const identified = await provider.finish(new URL(request.url ?? "/", site.origin), attempt);
    const { groupsIgnored } = identified.profile;
    if (groupsIgnored > 0) deps.onWarning(`${groupsIgnored} groups of a person were ignored: they are too many`);
    const browser = browserOf(site, request, senderAddress(request, trustedProxies));
    const signIn = { ...identified, state: attempt.state, adminGroup: provider.adminGroup };
    const { secret } = await signIns.byProvider(signIn, browser);
    response.setHeader("set-cookie", [noAttempt, sessionCookie(site, secret)]);
    response
      .writeHead(303, { location: attempt.returnTo, "cache-control": "no-store", "referrer-policy": "no-referrer" })
      .end();
  } catch (error) {
    deps.onRefused(error, "callback");
    // The page names only a reason that the person can act on: others could help a stranger.
    const isForPerson = error instanceof ProfileRefused || (error instanceof Error && error.name === "SignInRefused");
    answerProblem(response, 400, isForPerson ? error.message : "Signing in did not succeed. Try again.");
  }
}

/** Ends the sessions that the provider names (OpenID Connect Back-Channel Logout). */
export async function logOutByProvider(deps: ProviderDeps, { request, response }: HttpExchange): Promise<void> {
  const form = await readForm(request);
  const token = form.get("logout_token");
  response.setHeader("cache-control", "no-store");
  const logout =
    token === null
      ? null
      : await deps.provider.verifyLogout(token).catch((error: unknown) => {
          deps.onRefused(error, "backchannel");
          return null;
        });
  if (logout === null) return answerJson(response, 400, { error: "invalid_request" });
  if (!(await deps.signIns.endProviderSessions(logout))) return answerJson(response, 400, { error: "invalid_request" });
  answerJson(response, 200, {});
}

function attemptCookie({ site }: SignInDeps): string {
  return cookieName(site, ATTEMPT_COOKIE);
}

function readAttempt(text: string | null): z.output<typeof attemptForm> | null {
  return text === null ? null : attemptForm.parse(JSON.parse(text));
}

function answerProblem(response: HttpExchange["response"], status: number, problem: string): void {
  const body = `<p role="alert">${escapeHtml(problem)}</p><a class="action" href="/auth/login">Back to the sign-in</a>`;
  response.writeHead(status, SIGN_IN_HEADERS).end(renderPage("Not signed in", body));
}
