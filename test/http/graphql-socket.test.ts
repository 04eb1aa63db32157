/** graphql-transport-ws by hand: what a client may do at any moment, and what becomes of the others. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { WebSocket } from "ws";
import type { Data } from "../support/api.ts";
import { startRun } from "../support/change-source.ts";
import type { FakeJob } from "../support/fake-runner.ts";
import { Follower } from "../support/follower.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import * as tokens from "../support/token-steps.ts";
import { countTo } from "../support/run-steps.ts";
import { waitUntil } from "../support/eventually.ts";
import { walk } from "../support/walk.ts";

const LOG = "subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { cursor lines { number } } } }";
const EVENTS = "subscription ($id: ID!) { runEvents(runId: $id) { __typename } }";

let server: InProcess;
let run: string;
let job: FakeJob;
let lines = 0;
/** Opened before all others, so that no test waits for its end. */
let silent: Raw;
beforeAll(async () => {
  server = await startInProcess();
  silent = new Raw();
  await once(silent.socket, "open");
  silent.sendMessage({ type: "ping" });
  ({ run, job } = await startRun(server));
});
afterAll(async () => {
  expect(server.reported).toEqual([]);
  await server[Symbol.asyncDispose]();
});
beforeEach(() => waitUntil(() => server.hub.size === 0));

/** Lines of the log so far, after one more. */
async function write(): Promise<number> {
  lines += 1;
  expect((await job.log("PREPARE", `line ${lines}`)).status).toBe(200);
  return lines;
}

class Raw {
  readonly socket: WebSocket;
  /** Beneath it. */
  wire: Socket | null = null;
  readonly got: Data[] = [];
  code = 0;
  #wake: () => void = () => undefined;

  constructor() {
    this.socket = new WebSocket(`${server.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
      createConnection: () => (this.wire = connect(Number(new URL(server.url).port), "127.0.0.1")),
    });
    this.socket.on("error", () => undefined);
    this.socket.on("message", (data) => {
      this.got.push(JSON.parse(Buffer.isBuffer(data) ? data.toString() : "null"));
      this.#wake();
    });
    this.socket.on("close", (code) => {
      this.code = code;
      this.#wake();
    });
  }

  sendMessage(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  subscribe(id: string, query = LOG): void {
    this.sendMessage({ type: "subscribe", id, payload: { query, variables: { id: run } } });
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.code !== 0) throw new Error(`The socket was closed with ${this.code}.`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Until it was closed. */
  async closed(): Promise<number> {
    if (this.code === 0) await once(this.socket, "close");
    return this.code;
  }

  of(id: string): Data[] {
    return this.got.filter((message) => message.id === id);
  }

  numbers(id: string): number[] {
    return this.of(id)
      .flatMap(({ payload }) => payload?.data?.runLog?.lines ?? [])
      .map(({ number }) => number);
  }
}

async function open(token: string = server.api.token): Promise<Raw> {
  const raw = new Raw();
  await once(raw.socket, "open");
  raw.sendMessage({ type: "connection_init", payload: { authorization: `Bearer ${token}` } });
  await raw.until(() => raw.got.length === 1);
  expect(raw.got).toEqual([{ type: "connection_ack" }]);
  return raw;
}

describe("a socket is closed", () => {
  it.each(
    walk(
      [
        [
          4409,
          "a second operation with the id of one that is open",
          (raw: Raw) => ["1", "1"].map((id) => raw.subscribe(id)),
        ],
        [4429, "a second first message", (raw: Raw) => raw.sendMessage({ type: "connection_init" })],
        [
          4400,
          "a message that only servers send",
          (raw: Raw) => raw.sendMessage({ type: "next", id: "1", payload: {} }),
        ],
        [
          4400,
          "an operation without a query",
          (raw: Raw) => raw.sendMessage({ type: "subscribe", id: "1", payload: {} }),
        ],
        [
          4400,
          "an operation without an id",
          (raw: Raw) => raw.sendMessage({ type: "subscribe", id: "", payload: { query: "{a}" } }),
        ],
      ],
      2,
    ),
  )("with %i for %s", async (code, _name, act) => {
    const raw = await open();
    act(raw);
    expect(await raw.closed()).toBe(code);
  });

  it("with 4409 also where the id is longer than the reason may be", async () => {
    const raw = await open();
    for (let time = 0; time < 2; time += 1) raw.subscribe("x".repeat(200));
    expect(await raw.closed()).toBe(4409);
  });
});

describe("a client", () => {
  it("that does not read is not read from until it does, also with messages that complete operations", async () => {
    const raw = await open();
    const pauses = vi.spyOn(WebSocket.prototype, "pause");
    raw.socket.pause();
    const isHeard = (): boolean => pauses.mock.contexts.every((socket) => socket === raw.socket);
    // Each is answered with an error that has its id, which is large.
    const long = "x".repeat(LIMITS.webSocketMessageBytes - 1000);
    let sent = 0;
    for (; isHeard() && sent < 300; sent += 1) {
      raw.subscribe(`${sent} ${long}`, "{");
      await setImmediate();
    }
    expect(isHeard()).toBe(false);
    pauses.mockRestore();
    raw.socket.resume();
    await raw.until(() => raw.got.length === sent + 1);
    raw.socket.close();
  });

  it("that does not name one of several operations gets an error", async () => {
    const raw = await open();
    raw.subscribe("1", "query A { __typename } query B { __typename }");
    await raw.until(() => raw.got.length === 2);
    expect(raw.of("1")).toMatchObject([{ type: "error", payload: [{ extensions: { code: "QUERY_REFUSED" } }] }]);
    raw.socket.close();
  });

  it("that asks for more at once than it may is refused the last of it", async () => {
    const raw = await open();
    for (let id = 0; id <= LIMITS.subscriptionsPerSocket; id += 1) raw.subscribe(`${id}`, EVENTS);
    await raw.until(() => new Set(raw.got.map(({ id }) => id)).size === LIMITS.subscriptionsPerSocket + 2);
    const refused = raw.got.filter(({ type }) => type === "error");
    expect(refused.map(({ id, payload }) => [id, payload[0].extensions.code])).toEqual([
      [`${LIMITS.subscriptionsPerSocket}`, "QUERY_REFUSED"],
    ]);
    raw.socket.close();
  });

  it("that has enough of each thing at once has no more of them under way than it may", async () => {
    const raw = await open();
    const last = `${LIMITS.subscriptionsPerSocket}`;
    // In one write, and so in one read of the server, before the first of them is answered.
    raw.wire?.cork();
    for (let id = 0; id < LIMITS.subscriptionsPerSocket; id += 1) {
      raw.subscribe(`${id}`, "{ viewer { role } }");
      raw.sendMessage({ type: "complete", id: `${id}` });
    }
    raw.subscribe(last, "{ viewer { role } }");
    raw.wire?.uncork();
    await raw.until(() => raw.of(last).length > 0);
    raw.sendMessage({ type: "ping" });
    await raw.until(() => raw.got.at(-1)?.type === "pong");
    expect(raw.got.slice(1)).toMatchObject([
      { type: "error", id: last, payload: [{ extensions: { code: "QUERY_REFUSED" } }] },
      { type: "pong" },
    ]);
    raw.socket.close();
  });

  it("gets a pong with the payload of its ping", async () => {
    const raw = await open();
    raw.sendMessage({ type: "ping", payload: { a: 1 } });
    raw.sendMessage({ type: "ping" });
    raw.sendMessage({ type: "pong" });
    await raw.until(() => raw.got.length === 3);
    expect(raw.got.slice(1)).toEqual([{ type: "pong", payload: { a: 1 } }, { type: "pong" }]);
    raw.socket.close();
  });

  it("that completes an operation at any moment gets no more of it, and may use the id again", async () => {
    const raw = await open();
    const witness = new Follower("runLog", run);
    const watching = witness.connect(server.api);
    for (let round = 0; round < 30; round += 1) {
      raw.subscribe("again");
      // At once, or while it is prepared, opened or read: whenever the answers of others come.
      for (let wait = 0; wait < round % 6; wait += 1) {
        raw.sendMessage({ type: "ping" });
        const pongs = raw.got.length + 1;
        await raw.until(() => raw.got.length >= pongs);
      }
      raw.sendMessage({ type: "complete", id: "again" });
      if (round % 5 === 0) await write();
    }
    raw.sendMessage({ type: "ping", payload: { last: true } });
    await raw.until(() => raw.got.at(-1)?.payload?.last === true);
    const before = raw.of("again").length;
    raw.subscribe("final");
    const last = await write();
    await raw.until(() => raw.numbers("final").at(-1) === last);
    expect(raw.numbers("final")).toEqual(countTo(last));
    expect(raw.of("again")).toHaveLength(before);
    await witness.until((item) => item.lines?.at(-1)?.number === last);
    expect(witness.lineNumbers).toEqual(countTo(last));
    await witness.leave();
    await watching;
    raw.socket.close();
  });

  it("that dies in the middle of a message, and one that never reads, harm nobody", async () => {
    const wide = await open();
    wide.socket.pause();
    for (let id = 0; id < 50; id += 1) wide.subscribe(`${id}`);
    const half = connect(Number(new URL(server.url).port), "127.0.0.1");
    half.on("error", () => undefined);
    await once(half, "connect");
    half.write(
      "GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
        "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n",
    );
    await once(half, "data");
    half.write(Buffer.from([0x81, 0xfe, 0x40, 0x00, 0, 0, 0, 0, 0x7b]));
    const raw = await open();
    raw.subscribe("1");
    await raw.until(() => raw.numbers("1").length === lines);
    half.destroy();
    wide.socket.terminate();
    const last = await write();
    await raw.until(() => raw.numbers("1").at(-1) === last);
    expect(raw.numbers("1")).toEqual(countTo(last));
    raw.socket.close();
  });

  it("whose token ends is closed, and others of its stream continue", async () => {
    const made = await tokens.createToken(server.api, { name: "one of many", role: "ADMIN" });
    const [one, other] = [await open(made.secret), await open()];
    for (const raw of [one, other]) raw.subscribe("1");
    await Promise.all([one, other].map((raw) => raw.until(() => raw.numbers("1").length === lines)));
    await waitUntil(() => server.hub.size === 1);
    await tokens.revokeToken(server.api, made.token.id);
    expect(await one.closed()).toBe(4403);
    const last = await write();
    await other.until(() => other.numbers("1").at(-1) === last);
    expect(other.numbers("1")).toEqual(countTo(last));
    other.socket.close();
  });

  it("that is cut again and again has each line once, among others that come and go", { timeout: 60_000 }, async () => {
    const CUTS = inject("soaks") ? 100 : 25;
    const victim = new Follower("runLog", run);
    const loyal = new Follower("runLog", run);
    const staying = loyal.connect(server.api);
    let cuts = 0;
    const writing = (async () => {
      while (cuts < CUTS) await write();
    })();
    const visiting = (async () => {
      while (cuts < CUTS) await new Follower("runLog", run).connect(server.api, 2);
    })();
    for (; cuts < CUTS; cuts += 1) expect(await victim.connect(server.api, 1 + (cuts % 2))).toBe("dropped");
    await Promise.all([writing, visiting]);
    const rest = victim.connect(server.api);
    for (const follower of [victim, loyal]) {
      await follower.until((item) => item.lines?.at(-1)?.number === lines);
      expect(follower.lineNumbers).toEqual(countTo(lines));
      await follower.leave();
    }
    await Promise.all([rest, staying]);
  });

  it("that sends no token is closed with 4408, also if it sends other messages", async () => {
    expect(await silent.closed()).toBe(4408);
    expect(silent.got).toEqual([{ type: "pong" }]);
  });
});
