/** Browsers that sign in with a token of the API, and their sockets. */
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { Data } from "./api.ts";
import type { CookieBrowser } from "./cookie-browser.ts";
import { SESSION_COOKIE, SITE, type SignInScene } from "./sign-in.ts";

interface Shown {
  status: number;
  answer: Record<string, unknown>;
}

/** Sends `{ token }` or `{ code }` as the page of the sign-in does. */
export async function show(browser: CookieBrowser, body: object, origin = SITE): Promise<Shown> {
  const { status, text } = await browser.open(`${SITE}/auth/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify(body),
  });
  return { status, answer: JSON.parse(text) };
}

/** A browser with a session of the token. */
export async function signedInBy(scene: SignInScene, token: string): Promise<CookieBrowser> {
  const browser = scene.browser();
  expect((await show(browser, { token })).status).toBe(200);
  return browser;
}

export async function isSignedIn(scene: SignInScene, browser: CookieBrowser): Promise<boolean> {
  return (await scene.ask(browser, "{ viewer { credential } }")).data?.viewer?.credential === "SESSION";
}

/** The headers with which a page of the site sends the cookie of a browser. */
export function cookieHeaders(browser: CookieBrowser): Record<string, string> {
  return { cookie: `${SESSION_COOKIE}=${browser.cookie(SITE, SESSION_COOKIE)}`, origin: SITE };
}

/** A socket that a page of the site opened; `closed` gives the code. */
export async function openSocket(
  url: string,
  headers: Record<string, string>,
  payload?: object,
): Promise<{ socket: WebSocket; closed: Promise<unknown> }> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
  const closed = once(socket, "close").then(([code]) => code);
  await once(socket, "open");
  const acknowledged = once(socket, "message");
  socket.send(JSON.stringify({ type: "connection_init", payload }));
  await acknowledged;
  return { socket, closed };
}

let made = 0;

/** A token of a new machine user with a role on the installation. */
export async function makeToken(
  { server: { api } }: SignInScene,
  input: object = {},
): Promise<{ id: string; secret: string; expiresAt: string; ownerId: string }> {
  made += 1;
  const { createToken } = await api.ask(
    `mutation ($input: CreateTokenInput!) { createToken(input: $input) {
      ... on CreateTokenSuccess { secret token { id expiresAt actor { id } } } ... on UserError { message } } }`,
    { input: { name: `robot ${made}`, role: "WRITER", ...input } },
  );
  const { token, secret } = createToken;
  return { id: token.id, expiresAt: token.expiresAt, ownerId: token.actor.id, secret };
}

/** Gives a token another secret; gives the new one. */
export async function rotate(
  { server: { api } }: SignInScene,
  { id: tokenId, secret }: { id: string; secret: string },
  input: object = {},
): Promise<string> {
  const { rotateToken }: Data = await api.as(secret).ask(
    `mutation ($input: RotateTokenInput!) { rotateToken(input: $input) {
      ... on RotateTokenSuccess { secret } ... on UserError { message } } }`,
    { input: { tokenId, ...input } },
  );
  return rotateToken.secret ?? expect.fail(rotateToken.message);
}
