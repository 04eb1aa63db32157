import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { createHub } from "../../src/bus/hub.ts";
import { createTokenWatch } from "../../src/bus/token-watch.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { openEventSource } from "../support/event-source.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import * as tokens from "../support/token-steps.ts";
import { waitUntil } from "../support/eventually.ts";

const STREAM = `subscription { organizationEvents(organizationId: "${DEFAULT_ORGANIZATION_ID}") { __typename } }`;

let server: InProcess;
let second: InProcess;
beforeAll(async () => {
  server = await startInProcess();
  second = await server.second();
});
afterAll(async () => {
  await waitUntil(() => server.hub.size + second.hub.size === 0);
  expect([...server.reported, ...second.reported]).toEqual([]);
  await second[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

let names = 0;
async function createToken(expiresAt: string | null = null): Promise<{ id: string; secret: string }> {
  names += 1;
  const made = await tokens.createToken(server.api, { name: `reader-${names}`, role: "READER", expiresAt });
  return { id: made.token.id, secret: made.secret };
}

const revoke = (id: string): Promise<void> => tokens.revokeToken(server.api, id);

/** A socket with a subscription that has begun. */
async function openSocket(url: string, secret: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${secret}` } }));
  await once(socket, "message");
  socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: STREAM } }));
  await once(socket, "message");
  return socket;
}

async function closeCode(socket: WebSocket): Promise<unknown> {
  const [code] = await once(socket, "close");
  return code;
}

describe("a token that is revoked", () => {
  it("closes its sockets on every server with 4403, while they wait, and no others", async () => {
    const [mine, other] = [await createToken(), await createToken()];
    const sockets = [await openSocket(server.url, mine.secret), await openSocket(second.url, mine.secret)];
    const stays = await openSocket(server.url, other.secret);
    const codes = Promise.all(sockets.map(closeCode));
    await revoke(mine.id);
    expect(await codes).toEqual([4403, 4403]);
    await waitUntil(() => server.hub.size === 1);
    expect(stays.readyState).toBe(WebSocket.OPEN);
    stays.close();
    await waitUntil(() => server.hub.size === 0);
  });

  it("breaks off its server-sent events, which then get 401", async () => {
    const { id, secret } = await createToken();
    const api = second.api.as(secret);
    await using source = await openEventSource(api, STREAM);
    expect((await source.next()).data.organizationEvents).toEqual({ __typename: "StreamCheckpoint" });
    const broken = expect(source.next()).rejects.toThrow();
    await revoke(id);
    await broken;
    await expect(openEventSource(api, STREAM)).rejects.toThrow("401");
    await waitUntil(() => second.hub.size === 0);
  });

  it.each(["TEXT/EVENT-STREAM", "text/event- stream", "", "text/*"])(
    "breaks them off however they were asked for: %j",
    async (accept) => {
      const { id, secret } = await createToken();
      await using source = await openEventSource(server.api.as(secret), STREAM, {}, accept);
      await source.next();
      const broken = expect(source.next()).rejects.toThrow();
      await revoke(id);
      await broken;
      await waitUntil(() => server.hub.size === 0);
    },
  );
});

describe("a token that is revoked after it was looked up, and before it is watched", () => {
  /** Once, the server looks up this token, and then it is revoked, and every listener has been notified of that. */
  function revokeBehindLookUp({ id, secret }: { id: string; secret: string }): Disposable {
    const lookUp = server.domain.authenticate.bind(server.domain);
    let done = false;
    const spy = vi.spyOn(server.domain, "authenticate").mockImplementation(async (asked) => {
      const caller = await lookUp(asked);
      if (asked !== secret || done) return caller;
      done = true;
      using watch = server.hub.watch(`token:${id}`);
      await revoke(id);
      await watch.changed(LIMITS.tokenCheckMs);
      return caller;
    });
    return { [Symbol.dispose]: () => spy.mockRestore() };
  }

  it("breaks off its server-sent events", async () => {
    const token = await createToken();
    using _revoked = revokeBehindLookUp(token);
    let broken = false;
    const readToEnd = async (): Promise<void> => {
      await using source = await openEventSource(server.api.as(token.secret), STREAM);
      for (;;) await source.next();
    };
    void readToEnd().catch(() => (broken = true));
    await waitUntil(() => broken);
    await waitUntil(() => server.hub.size === 0);
  });

  it("closes its socket with 4403 at its first subscription", async () => {
    const token = await createToken();
    using _revoked = revokeBehindLookUp(token);
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    let code: unknown = null;
    void closeCode(socket).then((given) => (code = given));
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token.secret}` } }));
    await once(socket, "message");
    socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: STREAM } }));
    await waitUntil(() => code !== null);
    expect(code).toBe(4403);
  });
});

it("a token that expires closes its sockets and its server-sent events", async () => {
  const inAWhile = new Date(server.deps.clock().getTime() + 5000).toISOString();
  const { secret } = await createToken(inAWhile);
  const socket = await openSocket(server.url, secret);
  const closed = closeCode(socket);
  await using source = await openEventSource(server.api.as(secret), STREAM);
  await source.next();
  const broken = expect(source.next()).rejects.toThrow();
  expect(await closed).toBe(4403);
  await broken;
});

it("a token is watched once for all that was opened with it, and until the last of them is closed", async () => {
  const { id, secret } = await createToken();
  const watching = vi.spyOn(server.hub, "watch");
  const sockets = [await openSocket(server.url, secret), await openSocket(server.url, secret)];
  await using source = await openEventSource(server.api.as(secret), STREAM);
  await source.next();
  const begun = watching.mock.results.filter((_result, index) => watching.mock.calls[index]?.[0] === `token:${id}`);
  watching.mockRestore();
  expect(begun).toHaveLength(1);
  const ended = vi.spyOn(begun[0]?.value, Symbol.dispose);
  for (const socket of sockets) socket.close();
  await waitUntil(() => server.hub.size === 1);
  expect(ended).not.toHaveBeenCalled();
  await source[Symbol.asyncDispose]();
  await waitUntil(() => ended.mock.calls.length === 1);
});

describe("a watch of a token", () => {
  const clock = (): Date => new Date("2026-11-20T16:07:25.447Z");
  const token = { credentialId: "tok_1" };

  it("asks after each hint, and notifies once of the token's end", async () => {
    const hub = createHub();
    const asked: PromiseWithResolvers<"VALID" | "ENDED">[] = [];
    const ended = Promise.withResolvers<unknown>();
    const watchToken = createTokenWatch(hub, { clock, reportError: () => undefined });
    const isLive = (): Promise<"VALID" | "ENDED"> => {
      const question = Promise.withResolvers<"VALID" | "ENDED">();
      asked.push(question);
      return question.promise;
    };
    watchToken(token, isLive, { tokenEnded: ended.resolve });
    hub.signal("token:tok_2");
    hub.signal("token:tok_1");
    await waitUntil(() => asked.length === 1);
    // A hint that comes while it asks is not lost.
    hub.signal("token:tok_1");
    asked[0]?.resolve("VALID");
    await waitUntil(() => asked.length === 2);
    asked[1]?.resolve("ENDED");
    await ended.promise;
    hub.signal("token:tok_1");
    expect(asked).toHaveLength(2);
  });

  it("asks now and then without a hint, and survives a database that does not answer", async () => {
    const errors: unknown[] = [];
    const watchToken = createTokenWatch(createHub(), { clock, checkMs: 1, reportError: (error) => errors.push(error) });
    const ended = Promise.withResolvers<unknown>();
    let asked = 0;
    const isLive = async (): Promise<"VALID" | "ENDED"> => {
      asked += 1;
      if (asked === 1) throw new Error("gone");
      return asked < 3 ? "VALID" : "ENDED";
    };
    watchToken(token, isLive, { tokenEnded: ended.resolve });
    await ended.promise;
    expect(asked).toBe(3);
    expect(errors).toEqual([new Error("gone")]);
  });

  it("that was left notifies no more", async () => {
    const hub = createHub();
    let notified = 0;
    const watchToken = createTokenWatch(hub, { clock, reportError: () => undefined });
    const holder = { tokenEnded: () => void (notified += 1) };
    watchToken(token, () => Promise.resolve("ENDED" as const), holder).leave(holder);
    hub.signal("token:tok_1");
    await new Promise(setImmediate);
    expect(notified).toBe(0);
  });
});
