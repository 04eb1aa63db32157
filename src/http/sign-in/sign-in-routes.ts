import { readFile } from "node:fs/promises";
import { LIMITS } from "../../model/kit/limits.ts";
import { isSessionSecret } from "../../model/people/session.ts";
import { createRateLimiter } from "../../model/limit/gcra.ts";
import { senderAddress } from "../kit/client-address.ts";
import { answerJson } from "../kit/json-answer.ts";
import { isOfOwnPage, readCookie, cookieName, sessionSecret } from "../kit/site.ts";
import { HttpError } from "../route/failure.ts";
import { type HttpExchange, openRoute, type Route } from "../route/route.ts";
import { escapeHtml, renderPage, SIGN_IN_HEADERS } from "./page.ts";
import { createPasskeyRoutes } from "./passkey-routes.ts";
import { beginAtProvider, finishAtProvider, logOutByProvider } from "./provider-sign-in.ts";
import { returnPath } from "./return-path.ts";
import { noSessionCookie } from "./session-cookie.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { signInWithToken } from "./token-sign-in.ts";

/** Creates the routes by which people sign in and out. */
export function createSignInRoutes(deps: SignInDeps): Route[] {
  const { provider } = deps;
  const limit = createLimit(deps);
  const pages: Route[] = [
    openRoute({
      path: "/auth/login",
      methods: ["GET", "HEAD"],
      cors: false,
      handler: (exchange) => answerLogin(deps, exchange),
    }),
    openRoute({
      path: "/auth/style.css",
      methods: ["GET", "HEAD"],
      cors: false,
      handler: (exchange) => answerFile(exchange, "style.css", "text/css; charset=utf-8"),
    }),
    openRoute({
      path: "/auth/session",
      methods: ["GET", "POST"],
      cors: false,
      handler: (exchange) =>
        exchange.request.method === "POST"
          ? limit(exchange, () => signInWithToken(deps, exchange))
          : answerSession(deps, exchange),
    }),
    openRoute({
      path: "/auth/logout",
      methods: ["POST"],
      cors: false,
      handler: (exchange) => limit(exchange, () => logOut(deps, exchange)),
    }),
  ];
  const { passkeys } = deps.signIns;
  if (passkeys !== null) pages.push(...createPasskeyRoutes({ ...deps, passkeys }, limit), ...passkeyPages());
  if (provider === null) return pages;
  const withProvider = { ...deps, provider };
  return [
    ...pages,
    openRoute({
      path: "/auth/oidc",
      methods: ["GET"],
      cors: false,
      handler: (exchange) => limit(exchange, () => beginAtProvider(withProvider, exchange)),
    }),
    openRoute({
      path: "/auth/callback",
      methods: ["GET"],
      cors: false,
      handler: (exchange) => limit(exchange, () => finishAtProvider(withProvider, exchange)),
    }),
    openRoute({
      path: "/auth/backchannel",
      methods: ["POST"],
      cors: false,
      handler: (exchange) => limit(exchange, () => logOutByProvider(withProvider, exchange), "REFUSALS"),
    }),
  ];
}

/**
 * Limits how often an address may begin or finish a sign-in: each takes requests to the provider, or statements. Of the
 * logouts of the provider only those that are refused count: it may end the sessions of a whole company at once.
 */
function createLimit({ clock, trustedProxies }: SignInDeps) {
  const attempts = createRateLimiter(LIMITS.signIns, LIMITS.addressesKnown);
  const pointMs = 60_000 / LIMITS.signIns.perMinute;
  return async (
    { request, response }: HttpExchange,
    work: () => Promise<void>,
    counted: "ALL" | "REFUSALS" = "ALL",
  ): Promise<void> => {
    const address = senderAddress(request, trustedProxies);
    const take = (points: number) => attempts.take(address, points, clock().getTime());
    const { allowed, remaining, retryAfterMs } = take(counted === "ALL" ? 1 : 0);
    if (allowed && (counted === "ALL" || remaining > 0)) {
      await work();
      if (counted === "REFUSALS" && response.statusCode !== 200) take(1);
      return;
    }
    const seconds = Math.max(1, Math.ceil(Math.max(retryAfterMs, pointMs) / 1000));
    const message = `Too many attempts to sign in from your address. Try again in ${seconds} s.`;
    throw new HttpError(429, "RATE_LIMITED", message, { "retry-after": `${seconds}` });
  };
}

/** The pages on which a person makes a passkey: with an invitation, or beside those that it has. */
function passkeyPages(): Route[] {
  const invitation = "<p>You are invited to Holdpoint. Make a passkey to sign in with: no password is needed.</p>";
  const again = `<a href="/auth/login?fresh=1&amp;return=%2Fauth%2Fpasskey">Sign in again</a>`;
  const another = "<p>Make another passkey, for example on another device.</p>";
  const hint = `<p class="hint">Is your sign-in older than ten minutes? ${again} first.</p>`;
  const texts = { "/invite": [invitation, ""], "/auth/passkey": [another, hint] };
  const pages = Object.entries(texts).map(([path, [text, below]]) =>
    openRoute({
      path,
      methods: ["GET", "HEAD"],
      cors: false,
      handler: ({ response }) => {
        const button = passkeyButton("Make a passkey", "register", { returnTo: "/graphql", isFirst: true });
        const body = [text, button, below].join("\n      ");
        response.writeHead(200, SIGN_IN_HEADERS).end(renderPage("Make a passkey", body));
      },
    }),
  );
  const script = openRoute({
    path: "/auth/passkey.js",
    methods: ["GET", "HEAD"],
    cors: false,
    handler: (exchange) => answerFile(exchange, "passkey.js", "text/javascript; charset=utf-8"),
  });
  return [...pages, script];
}

/** `isFirst`: the page has no other way. */
function passkeyButton(
  label: string,
  action: "signIn" | "register",
  { returnTo, isFirst }: { returnTo: string; isFirst: boolean },
): string {
  return `<button class="action${isFirst ? " primary" : ""}" id="passkey" type="button">${escapeHtml(label)}</button>
      <p class="problem" id="problem" role="alert"></p>
      <script src="/auth/passkey.js" data-action="${action}" data-return-to="${escapeHtml(returnTo)}"></script>`;
}

function answerLogin({ provider, site, signIns }: SignInDeps, { request, response }: HttpExchange): void {
  const asked = new URL(request.url ?? "/", site.origin).searchParams;
  const path = returnPath(asked.get("return"), site.origin);
  const isFresh = asked.get("fresh") === "1";
  const query = new URLSearchParams({ return: path, ...(isFresh && { fresh: "1" }) });
  const words = isFresh ? ["<p>What you want to do takes a sign-in of the last ten minutes.</p>"] : [];
  const ways = [
    ...(provider === null
      ? []
      : [
          `<a class="action primary" href="/auth/oidc?${escapeHtml(query.toString())}">Sign in with ${escapeHtml(provider.host)}</a>`,
        ]),
    ...(signIns.passkeys === null
      ? []
      : [passkeyButton("Sign in with a passkey", "signIn", { returnTo: path, isFirst: provider === null })]),
  ];
  response
    .writeHead(200, SIGN_IN_HEADERS)
    .end(renderPage(isFresh ? "Sign in again" : "Sign in", [...words, ...ways].join("\n      ")));
}

async function answerFile({ request, response }: HttpExchange, name: string, type: string): Promise<void> {
  const bytes = await readFile(new URL(name, import.meta.url));
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "public, max-age=3600",
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** Returns who is signed in, and how people can sign in, for pages of this site. */
async function answerSession(
  { site, enter, provider, signIns }: SignInDeps,
  { request, response }: HttpExchange,
): Promise<void> {
  const secret = sessionSecret(site, request);
  const caller = secret === "" ? null : await enter(secret, request);
  response.setHeader("cache-control", "no-store");
  const actor = caller === null ? null : { id: caller.actor.id, name: caller.actor.name };
  const ways = { provider: provider?.host ?? null, passkeys: signIns.passkeys !== null };
  answerJson(response, 200, { actor, ways });
}

/** Ends the session of the browser. Other sites cannot sign people out. */
async function logOut({ site, signIns }: SignInDeps, { request, response }: HttpExchange): Promise<void> {
  if (!isOfOwnPage(site, request)) {
    throw new HttpError(403, "FORBIDDEN", `Only a page of ${site.origin} can sign out. Open that address.`);
  }
  const secret = readCookie(request, cookieName(site));
  if (isSessionSecret(secret)) await signIns.signOut(secret);
  response.setHeader("set-cookie", noSessionCookie(site));
  response.writeHead(303, { location: "/auth/login", "cache-control": "no-store" }).end();
}
