/** Sockets of the sessions of a token, on two servers, when the token is reduced. */
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { waitUntil } from "../../support/eventually.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openSignInScene, type SignInScene } from "../../support/sign-in.ts";
import { cookieHeaders, isSignedIn, makeToken, openSocket, signedInBy } from "../../support/token-sessions.ts";

const organizationId = DEFAULT_ORGANIZATION_ID;
const STREAM = `subscription { organizationEvents(organizationId: "${organizationId}") { __typename } }`;
const RIGHTS_CHANGED = 1013;
const ENDED = 4403;

let scene: SignInScene;
let other: InProcess;
beforeAll(async () => {
  scene = await openSignInScene();
  other = await scene.server.second();
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});
afterEach(() => expect([...scene.server.reported.splice(0), ...other.reported.splice(0)]).toEqual([]));

async function update(tokenId: string, input: object): Promise<void> {
  const document = `mutation ($input: UpdateTokenInput!) { updateToken(input: $input) {
    __typename ... on UserError { message } } }`;
  const { updateToken } = await scene.server.api.ask(document, { input: { tokenId, ...input } });
  expect(updateToken).toEqual({ __typename: "UpdateTokenSuccess" });
}

/** A socket with a subscription that is open: the next item of it would be sent. */
async function subscribed(url: string, headers: Record<string, string>, payload?: object) {
  const { socket, closed } = await openSocket(url, headers, payload);
  const first = once(socket, "message");
  socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: STREAM } }));
  await first;
  return { socket, closed };
}

/** A token, with a socket of its own and one of a session of it on each server. */
async function opened() {
  const token = await makeToken(scene);
  const browser = await signedInBy(scene, token.secret);
  const authorization = `Bearer ${token.secret}`;
  const urls = [scene.server.url, other.url];
  const ofSession = await Promise.all(urls.map((url) => subscribed(url, cookieHeaders(browser))));
  const ofToken = await Promise.all(urls.map((url) => subscribed(url, {}, { authorization })));
  return { token, browser, sockets: [...ofSession, ...ofToken] };
}

describe("a socket of a session is closed as one of its token, on every server,", () => {
  it.each<[string, object, number, boolean]>([
    ["permissions", { permissions: ["ORGANIZATION_READ"] }, RIGHTS_CHANGED, true],
    ["places", { scopeIds: [organizationId] }, RIGHTS_CHANGED, true],
    ["networks, with its own address among them", { networks: ["127.0.0.0/8"] }, RIGHTS_CHANGED, true],
    ["networks", { networks: ["203.0.113.0/24"] }, ENDED, false],
  ])("when the token is reduced in its %s", async (_what, input, code, stays) => {
    const { token, browser, sockets } = await opened();
    await update(token.id, input);
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([code, code, code, code]);
    expect(await isSignedIn(scene, browser)).toBe(stays);
  });

  it("at the earlier end that the token gets", async () => {
    const { token, browser, sockets } = await opened();
    // Soon by the clock of the machine, by which the servers set their timers.
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 4000).toISOString();
    await update(token.id, { expiresAt });
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([ENDED, ENDED, ENDED, ENDED]);
    expect(scene.server.deps.clock().toISOString() >= expiresAt).toBe(true);
    expect(await isSignedIn(scene, browser)).toBe(false);
  });

  it("and stays open when the token gets another name", async () => {
    const { token, sockets } = await opened();
    await update(token.id, { name: `renamed ${token.id}` });
    await update(token.id, { name: `renamed twice ${token.id}` });
    for (const { socket } of sockets) {
      const pong = once(socket, "message");
      socket.send(JSON.stringify({ type: "ping" }));
      expect(JSON.parse(String((await pong)[0])).type).toBe("pong");
      expect(socket.readyState).toBe(WebSocket.OPEN);
      socket.close();
    }
    await waitUntil(() => scene.server.hub.size + other.hub.size === 0);
  });
});
