/** Sessions that a token of the API opens: no more than the token may do, and no longer. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { installAdminToken } from "../../../src/domain/token/authenticate.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { CookieBrowser } from "../../support/cookie-browser.ts";
import { openSignInScene, SESSION_COOKIE, SITE, type SignInScene } from "../../support/sign-in.ts";

const MINUTE_MS = 60_000;
const WHO = "{ viewer { credential actor { name } } }";
const MAKE = `mutation($input: CreateTokenInput!) { createToken(input: $input) {
  ... on CreateTokenSuccess { secret token { id expiresAt } }
  ... on UserError { code message }
  ... on InvalidInputError { issues { path message } }
  ... on ReauthenticationRequiredError { url methods } } }`;

let scene: SignInScene;
beforeAll(async () => {
  scene = await openSignInScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => {
  expect(scene.server.reported.splice(0)).toEqual([]);
  scene.refusals.length = 0;
});

async function show(
  browser: CookieBrowser,
  body: object,
  origin = SITE,
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const { status, text } = await browser.open(`${SITE}/auth/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify(body),
  });
  return { status, answer: JSON.parse(text) };
}

async function signedIn(token = scene.server.api.token): Promise<CookieBrowser> {
  const browser = scene.browser();
  expect((await show(browser, { token })).status).toBe(200);
  return browser;
}

const isIn = async (browser: CookieBrowser): Promise<boolean> =>
  (await scene.ask(browser, WHO)).data?.viewer?.credential === "SESSION";

let made = 0;
async function makeToken(input: object = {}): Promise<{ id: string; secret: string; expiresAt: string }> {
  made += 1;
  const { createToken } = await scene.server.api.ask(MAKE, {
    input: { name: `robot ${made}`, role: "WRITER", ...input },
  });
  return { ...createToken.token, secret: createToken.secret };
}

describe("a token that a page shows", () => {
  it("opens a session of its owner, and the answer has no secret", async () => {
    const browser = scene.browser();
    const { status, answer } = await show(browser, { token: ` ${scene.server.api.token}\n` });
    expect([status, answer]).toEqual([200, { actor: { id: expect.any(String), name: "admin" } }]);
    expect(browser.cookie(SITE, SESSION_COOKIE)).toMatch(/^hps_/);
    expect((await scene.ask(browser, WHO)).data.viewer).toEqual({ credential: "SESSION", actor: { name: "admin" } });
    const asked = await scene.ask(browser, "{ viewer { sessions { method current } } }");
    expect(asked.data.viewer.sessions).toEqual([{ method: "TOKEN", current: true }]);
  });

  it.each([
    [{ token: "hpt_wrong" }, "SIGN_IN_REFUSED", /no token that is in force/],
    [{ token: "" }, "SIGN_IN_REFUSED", /no token that is in force/],
    [{}, "INVALID_INPUT", /Send \{"token"/],
    [{ token: 1 }, "INVALID_INPUT", /Send \{"token"/],
    [{ token: "a", code: "b" }, "INVALID_INPUT", /Send \{"token"/],
    [{ code: "bm8" }, "SIGN_IN_REFUSED", /The link is not valid any more/],
  ])("%j is refused with %s", async (body, code, message) => {
    const browser = scene.browser();
    const { status, answer } = await show(browser, body);
    expect([status, answer]).toEqual([400, { code, message: expect.stringMatching(message) }]);
    expect(browser.cookie(SITE, SESSION_COOKIE)).toBeUndefined();
  });

  it("is refused from a page of another site", async () => {
    const browser = scene.browser();
    const { status } = await show(browser, { token: scene.server.api.token }, "https://evil.example.com");
    expect(status).toBe(403);
    expect(browser.cookie(SITE, SESSION_COOKIE)).toBeUndefined();
  });

  it("is refused where its networks do not have the address", async () => {
    const { secret } = await makeToken({ networks: ["203.0.113.0/24"] });
    const { answer } = await show(scene.browser(), { token: secret });
    expect(answer).toMatchObject({ code: "SIGN_IN_REFUSED" });
  });
});

describe("the session", () => {
  it("may do no more than its token", async () => {
    const { secret } = await makeToken({ role: "READER" });
    const browser = await signedIn(secret);
    const create = `mutation { createProject(input: { organizationId: "${DEFAULT_ORGANIZATION_ID}", name: "w" }) { __typename ... on UserError { code } } }`;
    const byToken = await scene.server.api.as(secret).ask(create);
    expect(byToken.createProject).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.ask(browser, create)).data.createProject).toMatchObject({ code: "FORBIDDEN" });
  });

  it.each<[string, (token: { id: string; secret: string }) => Promise<unknown>]>([
    [
      "revoked",
      ({ id }) => scene.server.api.ask(`mutation { revokeToken(input: { tokenId: "${id}" }) { __typename } }`),
    ],
    [
      "rotated",
      ({ id, secret }) =>
        scene.server.api.as(secret).ask(`mutation { rotateToken(input: { tokenId: "${id}" }) { __typename } }`),
    ],
  ])("ends when its token is %s, and so does an open socket", async (_how, end) => {
    const token = await makeToken();
    const browser = await signedIn(token.secret);
    expect(await isIn(browser)).toBe(true);
    const cookie = `${SESSION_COOKIE}=${browser.cookie(SITE, SESSION_COOKIE)}`;
    const url = `${scene.server.url.replace("http", "ws")}/graphql`;
    const socket = new WebSocket(url, "graphql-transport-ws", { headers: { cookie, origin: SITE } });
    const closed = once(socket, "close");
    await once(socket, "open");
    const acknowledged = once(socket, "message");
    socket.send(JSON.stringify({ type: "connection_init" }));
    await acknowledged;
    await end(token);
    expect(await isIn(browser)).toBe(false);
    expect((await closed)[0]).toBe(4403);
  });

  it("ends when the installation gets another admin token, and not when it starts again with the same one", async () => {
    const { deps, api } = scene.server;
    const browser = await signedIn();
    await installAdminToken(deps, api.token);
    expect(await isIn(browser)).toBe(true);
    await installAdminToken(deps, "hpt_another-admin-token-0123456789abcdef");
    expect(await isIn(browser)).toBe(false);
    await installAdminToken(deps, api.token);
    expect(await isIn(browser)).toBe(false);
  });

  it("ends with its token, and makes none that ends later", async () => {
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 60 * MINUTE_MS).toISOString();
    const { secret } = await makeToken({ role: "ADMIN", expiresAt });
    const browser = await signedIn(secret);
    const later = new Date(Date.parse(expiresAt) + MINUTE_MS).toISOString();
    const { viewer } = (await scene.ask(browser, "{ viewer { actor { id } } }")).data;
    const { data } = await scene.ask(browser, MAKE, {
      input: { name: "later", ownerId: viewer.actor.id, expiresAt: later },
    });
    expect(data.createToken).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["expiresAt"] }] });
    scene.server.advance(61 * MINUTE_MS);
    expect(await isIn(browser)).toBe(false);
  });

  it("asks for the token again where a person would be asked to sign in again", async () => {
    const browser = await signedIn();
    const make = (name: string) => scene.ask(browser, MAKE, { input: { name, role: "READER" } });
    expect((await make("fresh")).data.createToken.secret).toMatch(/^hpt_/);
    scene.server.advance(11 * MINUTE_MS);
    expect((await make("stale")).data.createToken).toMatchObject({
      code: "REAUTHENTICATION_REQUIRED",
      url: `${SITE}/login?fresh=1`,
      methods: ["TOKEN"],
    });
    await show(browser, { token: scene.server.api.token });
    expect((await make("again")).data.createToken.secret).toMatch(/^hpt_/);
  });
});

describe("the link of a start", () => {
  const createLink = (): string => createSignIns(scene.server.deps).createLink(scene.server.api.token);

  it("signs in once", async () => {
    const code = createLink();
    const browser = scene.browser();
    expect((await show(browser, { code })).answer).toEqual({ actor: { id: expect.any(String), name: "admin" } });
    expect(await isIn(browser)).toBe(true);
    const second = await show(scene.browser(), { code });
    expect(second.answer).toMatchObject({ message: "The link was used before." });
  });

  it("signs in one of two browsers that open it at once", async () => {
    const code = createLink();
    const answers = await Promise.all([1, 2, 3, 4].map(() => show(scene.browser(), { code })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
  });

  it("ends after ten minutes", async () => {
    const code = createLink();
    scene.server.advance(10 * MINUTE_MS + 1000);
    expect((await show(scene.browser(), { code })).status).toBe(400);
  });
});
