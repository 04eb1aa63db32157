/** Sessions of a token that gets another secret: they end with the secret that was shown. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import { createSignIns } from "../../../src/domain/sign-in/sign-ins.ts";
import { installAdminToken } from "../../../src/domain/token/authenticate.ts";
import { rotateToken } from "../../../src/domain/token/rotate-token.ts";
import { overlapping } from "../../support/overlapping.ts";
import { openSignInScene, type SignInScene } from "../../support/sign-in.ts";
import {
  cookieHeaders,
  isSignedIn,
  makeToken,
  openSocket,
  rotate,
  show,
  signedInBy,
} from "../../support/token-sessions.ts";

const HOUR_MS = 60 * 60 * 1000;

let scene: SignInScene;
beforeAll(async () => {
  scene = await openSignInScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => {
  expect(scene.server.reported.splice(0)).toEqual([]);
  scene.refusals.length = 0;
});

const later = (ms: number): string => new Date(scene.server.deps.clock().getTime() + ms).toISOString();

describe("a session that a former secret opened", () => {
  it("ends when that secret does, as does its socket, and not with the token", async () => {
    const token = await makeToken(scene);
    const renewed = await rotate(scene, token, { overlapHours: 1 });
    const [former, current] = [await signedInBy(scene, token.secret), await signedInBy(scene, renewed)];
    const { closed } = await openSocket(scene.server.url, cookieHeaders(former));
    scene.server.advance(HOUR_MS);
    expect([await isSignedIn(scene, former), await isSignedIn(scene, current)]).toEqual([false, true]);
    expect((await show(scene.browser(), { token: token.secret })).status).toBe(400);
    // No hint comes with the time: the socket's own timer is of the clock of the machine.
    scene.server.hub.signal(`token:${token.id}`);
    expect(await closed).toBe(4403);
  });

  it("shows its end, and is listed until then", async () => {
    const token = await makeToken(scene);
    await rotate(scene, token, { overlapHours: 1 });
    const former = await signedInBy(scene, token.secret);
    const until = later(HOUR_MS);
    const sessions = "sessions { method expiresAt }";
    const [session] = (await scene.ask(former, `{ viewer { ${sessions} } }`)).data.viewer.sessions;
    expect(Date.parse(until) - Date.parse(session.expiresAt)).toBeLessThan(60_000);
    expect(session).toMatchObject({ method: "TOKEN" });
    scene.server.advance(HOUR_MS);
    const list = `query ($id: ID!) { sessions(userId: $id) { edges { node { id } } } }`;
    expect((await scene.server.api.ask(list, { id: token.ownerId })).sessions.edges).toEqual([]);
  });

  it("ends at once when the token gets yet another secret, with its socket", async () => {
    const token = await makeToken(scene);
    const second = await rotate(scene, token, { overlapHours: 1 });
    const former = await signedInBy(scene, token.secret);
    const { closed } = await openSocket(scene.server.url, cookieHeaders(former));
    await rotate(scene, { ...token, secret: second }, { overlapHours: 1 });
    expect(await isSignedIn(scene, former)).toBe(false);
    expect(await closed).toBe(4403);
  });

  it("makes no token that outlives the secret", async () => {
    const token = await makeToken(scene, { role: "ADMIN" });
    await rotate(scene, token, { overlapHours: 1 });
    const former = await signedInBy(scene, token.secret);
    const make = `mutation ($input: CreateTokenInput!) { createToken(input: $input) {
      ... on CreateTokenSuccess { token { expiresAt } } ... on InvalidInputError { issues { path } } } }`;
    const input = { name: "later", ownerId: token.ownerId };
    const refused = (await scene.ask(former, make, { input: { ...input, expiresAt: later(2 * HOUR_MS) } })).data;
    expect(refused.createToken).toEqual({ issues: [{ path: ["expiresAt"] }] });
    const made = (await scene.ask(former, make, { input })).data.createToken.token;
    expect(made.expiresAt <= later(HOUR_MS)).toBe(true);
  });
});

describe("a rotation at the moment of a sign-in", () => {
  /** The rotation commits when the sign-in waits for it. */
  async function signInDuring(overlap: boolean) {
    const { deps, domain } = scene.server;
    const token = await makeToken(scene);
    const browser = scene.browser();
    const owner = (await domain.authenticate(token.secret, () => null)) ?? expect.fail("There is no caller.");
    const input = { tokenId: token.id, overlapHours: overlap ? 1 : 0, expiresAt: null };
    const rotation = (within: Deps) => rotateToken(within, owner, input);
    const shown = await overlapping(deps, rotation, () => show(browser, { token: token.secret }));
    return { browser, status: shown.status === "fulfilled" ? shown.value.status : shown.reason };
  }

  it("without an overlap refuses it", async () => {
    const { browser, status } = await signInDuring(false);
    expect([status, await isSignedIn(scene, browser)]).toEqual([400, false]);
  });

  it("with an overlap opens a session that ends with the former secret", async () => {
    const { browser, status } = await signInDuring(true);
    expect([status, await isSignedIn(scene, browser)]).toEqual([200, true]);
    scene.server.advance(HOUR_MS);
    expect(await isSignedIn(scene, browser)).toBe(false);
  });
});

describe("the link of a start", () => {
  it("is void once the admin token has another secret", async () => {
    const { deps, api } = scene.server;
    const refused = { code: "SIGN_IN_REFUSED", message: expect.stringContaining("is off or was replaced") };
    const signIns = createSignIns(deps);
    const code = signIns.createLink(api.token);
    await installAdminToken(deps, "hpt_another-admin-token-0123456789abcdef");
    expect((await show(scene.browser(), { code })).answer).toMatchObject(refused);
    // The refusal spent nothing: the secret of the start is back.
    await installAdminToken(deps, api.token);
    const browser = scene.browser();
    expect((await show(browser, { code })).status).toBe(200);
    const { closed } = await openSocket(scene.server.url, cookieHeaders(browser));
    await installAdminToken(deps, "hpt_another-admin-token-0123456789abcdef");
    expect(await isSignedIn(scene, browser)).toBe(false);
    expect(await closed).toBe(4403);
    await installAdminToken(deps, api.token);
  });
});

it("the sign-in counts as a use of the token, with its address", async () => {
  const token = await makeToken(scene);
  await signedInBy(scene, token.secret);
  const query = "query ($id: ID!) { node(id: $id) { ... on Token { lastUsedAt lastUsedFrom } } }";
  const { node } = await scene.server.api.ask(query, { id: token.id });
  expect(node).toEqual({ lastUsedAt: expect.any(String), lastUsedFrom: "127.0.0.1" });
});
