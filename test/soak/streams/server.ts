/**
 * One server of the measurement, in a process of its own, with runs whose logs grow in memory:
 * `shared` is the product; `alone` executes each subscription for itself, as graphql-ws does with the same schema;
 * `plain` knows no GraphQL: one prepared message is sent to all sockets of a run.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { useServer } from "graphql-ws/use/ws";
import { type WebSocket, WebSocketServer } from "ws";
import { createHub } from "../../../src/bus/hub.ts";
import { createTail } from "../../../src/bus/tail.ts";
import type { Tails } from "../../../src/bus/tails.ts";
import { createTokenWatch } from "../../../src/bus/token-watch.ts";
import { prepareOperation } from "../../../src/graphql/operation.ts";
import { createGraphql } from "../../../src/graphql/yoga.ts";
import { NO_OBSERVER } from "../../../src/http/observe-request.ts";
import { createRequestScope } from "../../../src/http/request-scope.ts";
import { attachWebSocket } from "../../../src/http/websocket.ts";
import type { LogLine } from "../../../src/model/log.ts";
import { createFakeDomain, fakeCaller, fakeId, fakeRun } from "../../support/fake-domain.ts";
import { createFakeTails } from "../../support/fake-tails.ts";
import { type Asked, MODES, type Mode, type Told } from "./messages.ts";

const LINES = 10;
/** A message has more. */
const LEAST_BYTES = 1000;
const AT = "2026-11-20T16:07:25.447Z";

const mode = MODES.find((known) => known === process.argv[2]) ?? "plain";
const runs = Number(process.argv[3]);
const hub = createHub();
/** How many lines each run has. Their texts are the same, and are made when they are read. */
const lengths = new Map<string, number>();
const accepted = new Set<Socket>();
/** How many sockets are looked at to see whether everybody has everything. */
const SAMPLE = 1000;

function linesAfter(after: number, count: number): LogLine[] {
  return Array.from({ length: count }, (_, index) => ({
    number: after + index + 1,
    at: AT,
    phase: "APPLY",
    stream: "STDOUT",
    attempt: 1,
    text: `aws_instance.web[${index}]: Still creating... [${index}0s elapsed] id=i-0abcdef1234567890`,
  }));
}

const tails: Tails = {
  ...createFakeTails().tails,
  runLog(runId, afterLine, onIdle) {
    let line = afterLine;
    return createTail<LogLine[]>({
      watch: hub.watch(`log:${runId}`),
      pollMs: 60_000,
      onIdle: () => onIdle?.(line),
      read: async () => {
        const fresh = Math.min(LINES, (lengths.get(runId) ?? 0) - line);
        if (fresh === 0) return { items: [], ended: false };
        const lines = linesAfter(line, fresh);
        line += fresh;
        return { items: [lines], ended: false };
      },
    });
  },
};

const { domain } = createFakeDomain({
  runs: Array.from({ length: runs }, (_, index) => fakeRun(index + 1, { status: "APPLYING" })),
});
const graphql = createGraphql({
  domain,
  tails,
  report: (error) => console.error(error),
  logger: { debug: () => undefined },
  corsOrigins: [],
});

function serveShared(server: Server): void {
  attachWebSocket(server, {
    graphql,
    path: "/graphql",
    authenticate: async () => fakeCaller,
    watchToken: createTokenWatch(hub, { clock: () => new Date(), reportError: console.error }),
    reportError: (error) => {
      console.error(error);
      return "";
    },
    scope: createRequestScope(),
    observer: NO_OBSERVER,
  });
}

function serveAlone(server: Server): void {
  useServer(
    {
      onSubscribe: async (_context, _id, { query, operationName, variables }) => {
        const operation = await prepareOperation(graphql, { caller: fakeCaller }, { query, operationName, variables });
        if (!("document" in operation)) return operation;
        const { schema, document, contextValue, variableValues = {} } = operation;
        return { schema, document, contextValue, variableValues };
      },
    },
    new WebSocketServer({ server, perMessageDeflate: false }),
  );
}

const rooms = new Map<string, Set<WebSocket>>();

function servePlain(server: Server): void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on("connection", (socket) => {
    socket.on("message", (data) => {
      const message = JSON.parse(Buffer.isBuffer(data) ? data.toString() : "");
      if (message.type === "connection_init") socket.send('{"type":"connection_ack"}');
      if (message.type !== "subscribe") return;
      const room = rooms.get(message.payload.variables.id) ?? new Set();
      rooms.set(message.payload.variables.id, room.add(socket));
    });
  });
}

function publish(run: string): void {
  const before = lengths.get(run) ?? 0;
  lengths.set(run, before + LINES);
  if (mode !== "plain") return hub.signal(`log:${run}`);
  const lines = linesAfter(before, LINES).map(({ number, at, text }) => ({ number, at, text }));
  const payload = {
    data: { runLog: { cursor: "WzEsImxvZyBvZiBydW5fMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDEiLDEwXQ", lines } },
  };
  const message = JSON.stringify({ id: "00000000-0000-4000-8000-000000000000", type: "next", payload });
  const buffer = Buffer.from(message);
  for (const socket of rooms.get(run) ?? []) socket.send(buffer, { binary: false });
}

/** The next event comes when everybody has the last. */
async function measure({ ms, clients }: Extract<Asked, { type: "measure" }>): Promise<Told> {
  const ids = Array.from({ length: runs }, (_, index) => fakeId("run", index + 1));
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const stride = Math.ceil(accepted.size / SAMPLE);
  const sample = [...accepted].filter((_, index) => index % stride === 0);
  let messages = 0;
  while (performance.now() - startedAt < ms) {
    const before = sample.map(({ bytesWritten }) => bytesWritten);
    for (const id of ids) publish(id);
    const isMissing = ({ bytesWritten, writableLength }: Socket, index: number): boolean =>
      bytesWritten - (before[index] ?? 0) < LEAST_BYTES || writableLength > 0;
    while (sample.some(isMissing)) await setImmediate();
    messages += clients;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { type: "measured", messages, ms: performance.now() - startedAt, cpuUs: user + system };
}

function memory(): Told {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { type: "memory", rss, heap: heapUsed, external };
}

const SERVE: Record<Mode, (server: Server) => void> = { shared: serveShared, alone: serveAlone, plain: servePlain };

const server = createServer();
server.on("connection", (socket) => {
  accepted.add(socket);
  socket.on("close", () => accepted.delete(socket));
});
SERVE[mode](server);
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  const { port } = server.address() as AddressInfo;
  tell({ type: "listening", port });
});

function tell(told: Told): void {
  process.send?.(told);
}

process.on("disconnect", () => process.exit());
process.on("message", (asked: Asked) => {
  if (asked.type === "memory") tell(memory());
  else void measure(asked).then(tell);
});
