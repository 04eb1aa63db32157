/** A reader that never reads costs at most 1 MiB and harms nobody. */
import { randomBytes } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { WebSocket } from "ws";
import { startRun } from "../support/change-source.ts";
import type { FakeJob } from "../support/fake-runner.ts";
import { Follower } from "../support/follower.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";
import { waitUntil } from "../support/eventually.ts";
import { walk } from "../support/walk.ts";

const READERS = 4;
const MIB = 1024 * 1024;
const LOG =
  "subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { cursor lines { number at phase attempt text } } } }";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Server sides of all connections, the newest last. */
const accepted: Socket[] = [];
const onSocket = (message: unknown): void => {
  accepted.push((message as { socket: Socket }).socket);
};

let server: InProcess;
beforeAll(async () => {
  diagnostics.subscribe("net.server.socket", onSocket);
  // Nobody is pinged: on a slow machine a reader that answers none would be closed before it is stalled.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  server = await startInProcess();
  vi.useRealTimers();
});
afterAll(async () => {
  diagnostics.unsubscribe("net.server.socket", onSocket);
  await server[Symbol.asyncDispose]();
});

function usedBytes(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** One connection, and the server's end of it. */
async function withServerSide<T>(open: () => Promise<T>): Promise<{ client: T; serverSide: Socket }> {
  const before = accepted.length;
  const client = await open();
  const serverSide = accepted[before];
  if (serverSide === undefined) throw new Error("No connection was made.");
  return { client, serverSide };
}

/** Subscribes and never reads again. */
async function stalledWebSocket(url: string, token: string, run: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${token}` } }));
  await once(socket, "message");
  socket.pause();
  socket.send(JSON.stringify({ type: "subscribe", id: "1", payload: { query: LOG, variables: { id: run } } }));
  return socket;
}

async function stalledEvents(url: string, token: string, run: string): Promise<Socket> {
  const body = JSON.stringify({ query: LOG, variables: { id: run } });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
      `accept: text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

/** Until the server can write no more to any of them. */
async function untilStalled(sockets: Socket[]): Promise<void> {
  let before = "";
  let still = 0;
  await waitUntil(
    () => {
      const now = sockets.map((socket) => socket.bytesWritten).join();
      still = now === before && sockets.every((socket) => socket.writableLength > 0) ? still + 1 : 0;
      before = now;
      return still > 5;
    },
    { timeout: 60_000 },
  );
}

/** Many MB of text that cannot be compressed, in batches like those of a runner. */
async function writeLog(job: FakeJob, batches: number, linesPerBatch: number, lineBytes: number): Promise<void> {
  const text = randomBytes(lineBytes).toString("base64").slice(0, lineBytes);
  for (let batch = 0; batch < batches; batch += 1) {
    const lines = Array.from({ length: linesPerBatch }, () => text);
    expect((await job.log("PREPARE", ...lines)).status).toBe(200);
  }
}

const LONG = { batches: 30, linesPerBatch: 6, lineBytes: 60_000 };
const USUAL = { batches: 60, linesPerBatch: 500, lineBytes: 120 };
const SHORT = { batches: 120, linesPerBatch: 500, lineBytes: 1 };

describe("a reader that never reads", { timeout: 180_000 }, () => {
  it.each(
    walk(
      [
        ["WebSocket", "long lines", LONG],
        ["WebSocket", "lines as they usually are", USUAL],
        // 60,000 lines take seconds.
        ...(inject("soaks") ? ([["WebSocket", "very short lines", SHORT]] as const) : []),
        ["server-sent events", "long lines", LONG],
      ] as const,
      1,
    ),
  )("costs less than 1 MiB: %s, %s", async (transport, _name, { batches, linesPerBatch, lineBytes }) => {
    const { run, job } = await startRun(server);
    await writeLog(job, batches, linesPerBatch, lineBytes);
    const { url, token } = server.api;
    const open = (...args: [string, string, string]): Promise<Socket | WebSocket> =>
      transport === "server-sent events" ? stalledEvents(...args) : stalledWebSocket(...args);
    // Whatever the first stream of its kind makes, caches and compiled code, is not counted.
    const first = await withServerSide(() => open(url, token, run));
    await untilStalled([first.serverSide]);
    const before = usedBytes();
    const stalled = [];
    for (let reader = 0; reader < READERS; reader += 1) {
      stalled.push(await withServerSide(() => open(url, token, run)));
    }
    await untilStalled(stalled.map(({ serverSide }) => serverSide));
    const perReader = (usedBytes() - before) / READERS;
    expect(perReader).toBeLessThan(MIB);

    // Whoever reads gets everything meanwhile, also what is new.
    const follower = new Follower("runLog", run);
    const following = follower.connect(server.api);
    await writeLog(job, 1, 1, 10);
    const total = batches * linesPerBatch + 1;
    await follower.until(({ lines }) => lines?.at(-1)?.number === total);
    expect(follower.lineNumbers).toHaveLength(total);
    expect(new Set(follower.lineNumbers).size).toBe(total);
    await follower.leave();
    await following;

    for (const { client } of [first, ...stalled]) {
      if (client instanceof WebSocket) client.terminate();
      else client.destroy();
    }
    await waitUntil(() => server.hub.size === 0);
    await job.message({
      type: "failed",
      failure: { code: "PLAN_FAILED", stage: "PLAN", summary: "No.", message: "No.", evidence: [] },
    });
    expect(server.reported).toEqual([]);
  });

  // Left to itself such a socket is closed by the library, after 30 s.
  it("does not hold up a server that stops", async () => {
    const second = await server.second();
    const { run, job } = await startRun(second);
    await writeLog(job, LONG.batches, LONG.linesPerBatch, LONG.lineBytes);
    const { url, token } = second.api;
    const stalled = [
      await withServerSide<WebSocket | Socket>(() => stalledWebSocket(url, token, run)),
      await withServerSide<WebSocket | Socket>(() => stalledEvents(url, token, run)),
    ];
    await untilStalled(stalled.map(({ serverSide }) => serverSide));
    const late = AbortSignal.timeout(25_000);
    await second[Symbol.asyncDispose]();
    expect(late.aborted).toBe(false);
    expect(stalled.map(({ serverSide }) => serverSide.destroyed)).toEqual([true, true]);
    expect(second.hub.size).toBe(0);
    for (const { client } of stalled) client.on("error", () => undefined);
  });
});
