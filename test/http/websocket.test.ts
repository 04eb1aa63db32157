import { once } from "node:events";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { Follower } from "../support/follower.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import * as tokens from "../support/token-steps.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { waitUntil } from "../support/eventually.ts";

let server: InProcess;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(async () => {
  expect(server.reported).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const PROTOCOL = "graphql-transport-ws";
const VIEWER = { query: "{ viewer { role } }" };

/** The published client as it is configured by default: it tries again after what it takes for a lost connection. */
function client(connectionParams?: Record<string, unknown>) {
  const closed: number[] = [];
  let attempts = 0;
  const one = createClient({
    url: `${server.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    ...(connectionParams && { connectionParams }),
    // The waits between its attempts are its own business.
    retryWait: () => Promise.resolve(),
    lazy: true,
    lazyCloseTimeout: 60_000,
    on: {
      connecting: () => (attempts += 1),
      closed: (event) => closed.push((event as { code: number }).code),
    },
  });
  const ask = async (query: { query: string; variables?: Record<string, unknown> }): Promise<unknown> => {
    const items: unknown[] = [];
    for await (const item of one.iterate(query)) items.push(item);
    return items;
  };
  return { client: one, ask, closed, attempts: () => attempts };
}

/** A socket that speaks the protocol by hand. */
async function rawSocket(...protocols: string[]): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, protocols);
  socket.on("error", () => undefined);
  await new Promise((resolve) => {
    for (const event of ["open", "close"]) socket.once(event, resolve);
  });
  return socket;
}

async function closeCode(socket: WebSocket): Promise<number> {
  if (socket.readyState === WebSocket.CLOSED) throw new Error("The socket is closed already.");
  const [code] = await once(socket, "close");
  return code;
}

async function createToken(): Promise<{ id: string; secret: string }> {
  const made = await tokens.createToken(server.api, { name: `reader-${Math.random()}`, role: "READER" });
  return { id: made.token.id, secret: made.secret };
}

const revoke = (tokenId: string): Promise<void> => tokens.revokeToken(server.api, tokenId);

describe("a WebSocket", () => {
  it.each([
    ["no parameters", undefined],
    ["no token", {}],
    ["a wrong token", { authorization: "Bearer hpt_of-somebody-else-0123456789" }],
    ["a token that is no text", { authorization: { bearer: 1 } }],
  ])("with %s closes with 4401, and the client does not try again", async (_name, params) => {
    const { ask, closed, attempts } = client(params);
    await expect(ask(VIEWER)).rejects.toMatchObject({ code: 4401 });
    expect(closed).toEqual([4401]);
    expect(attempts()).toBe(1);
  });

  it("answers queries with a valid token", async () => {
    const { ask, client: one } = client({ authorization: `Bearer ${server.api.token}` });
    expect(await ask(VIEWER)).toEqual([{ data: { viewer: { role: "ADMIN" } } }]);
    await one.dispose();
  });

  it("whose token is revoked meanwhile closes with 4403 at the next operation, and for good", async () => {
    const { id, secret } = await createToken();
    const { ask, closed, attempts } = client({ authorization: `Bearer ${secret}` });
    expect(await ask(VIEWER)).toEqual([{ data: { viewer: { role: "READER" } } }]);
    expect(attempts()).toBe(1);
    await revoke(id);
    // The client takes 4403 for a passing failure and reconnects; then it is refused for good.
    await expect(ask(VIEWER)).rejects.toMatchObject({ code: 4401 });
    expect(closed).toEqual([4403, 4401]);
    expect(attempts()).toBe(2);
  });

  it("whose client answers no pings is closed, and no other", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await using second = await server.second();
      const [dead, live] = [false, true].map(
        (autoPong) => new WebSocket(`${second.url.replace("http", "ws")}/graphql`, PROTOCOL, { autoPong }),
      );
      if (dead === undefined || live === undefined) throw new Error("Both were opened.");
      await Promise.all([dead, live].map((socket) => once(socket, "open")));
      const pinged = [dead, live].map((socket) => once(socket, "ping"));
      vi.advanceTimersByTime(12_000);
      await Promise.all(pinged);
      // Behind its answer to that.
      live.send(JSON.stringify({ type: "ping" }));
      await once(live, "message");
      const closed = closeCode(dead);
      const again = once(live, "ping");
      vi.advanceTimersByTime(12_000);
      expect(await closed).toBe(1006);
      await again;
      live.terminate();
    } finally {
      vi.useRealTimers();
    }
  });

  it("of another protocol is not served", async () => {
    const other = await rawSocket("graphql-ws");
    await waitUntil(() => other.readyState === WebSocket.CLOSED);
  });

  it("that does not keep to the protocol is closed", async () => {
    const early = await rawSocket("graphql-transport-ws");
    const unauthorized = closeCode(early);
    early.send(JSON.stringify({ type: "subscribe", id: "1", payload: VIEWER }));
    expect(await unauthorized).toBe(4401);
    const garbage = await rawSocket("graphql-transport-ws");
    const malformed = closeCode(garbage);
    garbage.send("{");
    expect(await malformed).toBe(4400);
    const large = await rawSocket("graphql-transport-ws");
    const tooLarge = closeCode(large);
    large.send(JSON.stringify({ type: "ping", payload: { text: "x".repeat(LIMITS.webSocketMessageBytes) } }));
    expect(await tooLarge).toBe(1009);
    // No other client notices.
    expect((await server.api.ask("{ viewer { role } }")).viewer.role).toBe("ADMIN");
  });

  it("about a run that does not exist gets NOT_FOUND", async () => {
    for (const id of ["run_01m7xrt0jga1d6ncq2260a0a0a", "ws_1", "", "x".repeat(200)]) {
      for (const field of ["runEvents", "runLog"] as const) {
        const follower = new Follower(field, id);
        expect(await follower.connect(server.api)).toMatch(/completed|refused/);
        expect(follower.errors).toMatchObject([{ extensions: { code: "NOT_FOUND" } }]);
        expect(follower.items).toEqual([]);
      }
    }
  });
});
