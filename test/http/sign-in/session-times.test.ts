/** How long a session lasts, by a clock that the test moves. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import type { CookieBrowser } from "../../support/cookie-browser.ts";
import { waitUntil } from "../../support/eventually.ts";
import { openSignInScene, SESSION_COOKIE, SITE, type SignInScene } from "../../support/sign-in.ts";

const HOUR_MS = 60 * 60 * 1000;

let scene: SignInScene;
beforeAll(async () => {
  scene = await openSignInScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function signedIn(): Promise<CookieBrowser> {
  scene.provider.people.set("ann", {});
  const browser = scene.browser();
  await scene.signIn(browser, "ann");
  return browser;
}

const isIn = async (browser: CookieBrowser): Promise<boolean> =>
  (await scene.ask(browser, "{ viewer { credential } }")).data?.viewer?.credential === "SESSION";

it("ends after twelve hours without a request, and not before", async () => {
  const browser = await signedIn();
  scene.server.advance(11 * HOUR_MS);
  expect(await isIn(browser)).toBe(true);
  scene.server.advance(11 * HOUR_MS);
  expect(await isIn(browser)).toBe(true);
  scene.server.advance(12 * HOUR_MS + 1000);
  expect(await isIn(browser)).toBe(false);
});

it("ends after seven days in any case", async () => {
  const browser = await signedIn();
  const steps = (7 * 24) / 8;
  for (let step = 1; step < steps; step += 1) {
    scene.server.advance(8 * HOUR_MS);
    expect(await isIn(browser)).toBe(true);
  }
  scene.server.advance(8 * HOUR_MS + 1000);
  expect(await isIn(browser)).toBe(false);
});

it("does not begin by an answer of the provider that comes after ten minutes", async () => {
  scene.provider.people.set("late", {});
  const browser = scene.browser();
  const { url } = await scene.signIn(browser, "late", (to) => to.startsWith(`${SITE}/auth/callback`));
  scene.server.advance(10 * 60 * 1000 + 1000);
  expect((await browser.open(url)).status).toBe(400);
  expect(scene.refusals).toEqual([expect.objectContaining({ message: expect.stringContaining("too old") })]);
});

describe("an open socket", () => {
  const STREAM = `subscription { organizationEvents(organizationId: "${DEFAULT_ORGANIZATION_ID}") { __typename } }`;
  afterEach(() => vi.restoreAllMocks());

  /** A socket of a page with a subscription that has begun. */
  async function watching(browser: CookieBrowser): Promise<{ socket: WebSocket; code: Promise<number> }> {
    const cookie = `${SESSION_COOKIE}=${browser.cookie(SITE, SESSION_COOKIE)}`;
    const url = `${scene.server.url.replace("http", "ws")}/graphql`;
    const socket = new WebSocket(url, "graphql-transport-ws", { headers: { cookie, origin: SITE } });
    const code = once(socket, "close").then(([closed]) => Number(closed));
    await once(socket, "open");
    await ask(socket, { type: "connection_init" });
    await ask(socket, { type: "subscribe", id: "stream", payload: { query: STREAM } });
    return { socket, code };
  }

  async function ask(socket: WebSocket, message: object): Promise<string> {
    socket.send(JSON.stringify(message));
    const [answer] = await once(socket, "message");
    return String(answer);
  }

  /** Has the server look after its open connections, as it does every minute. */
  async function checkConnections(): Promise<void> {
    const recheck = vi.spyOn(scene.server.domain, "recheck");
    await scene.server.deps.database.transaction(async (tx) => tx.announce("rights"), null);
    await waitUntil(() => recheck.mock.settledResults.length > 0);
    recheck.mockRestore();
  }

  it("does not keep a session from ending, neither by checks nor by pings, and ends with it", async () => {
    const browser = await signedIn();
    const { socket, code } = await watching(browser);
    for (let hours = 5; hours < 12; hours += 5) {
      scene.server.advance(5 * HOUR_MS);
      expect(await ask(socket, { type: "ping" })).toContain("pong");
      await checkConnections();
      expect(socket.readyState).toBe(WebSocket.OPEN);
    }
    scene.server.advance(2 * HOUR_MS + 1000);
    await checkConnections();
    expect(await code).toBe(4403);
    expect(await isIn(browser)).toBe(false);
  });

  it("keeps a session by the operations that it sends", async () => {
    const browser = await signedIn();
    const { socket, code } = await watching(browser);
    const answers: string[] = [];
    socket.on("message", (message) => Buffer.isBuffer(message) && answers.push(message.toString()));
    for (let step = 1; step <= 3; step += 1) {
      scene.server.advance(11 * HOUR_MS);
      const query = "{ viewer { credential } }";
      socket.send(JSON.stringify({ type: "subscribe", id: `${step}`, payload: { query } }));
      await waitUntil(() => answers.filter((text) => text.includes("SESSION")).length === step);
    }
    await checkConnections();
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect(await isIn(browser)).toBe(true);
    socket.close();
    await code;
  });
});
