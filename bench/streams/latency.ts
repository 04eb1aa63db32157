/** How long after its commit an event is with a client, while nothing else happens. */
import { type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { runId, type Shape } from "../dataset/ids.ts";
import { seed } from "../dataset/seed.ts";
import { inRounds } from "../measure/rounds.ts";
import { percentile } from "../measure/statistics.ts";
import type { BenchContext } from "../part.ts";
import { answer, nowUs, type ServerArguments, start, type ServerReply } from "./messages.ts";

const EVENTS_QUERY = "subscription ($id: ID!) { runEvents(runId: $id) { __typename ... on StreamItem { cursor } } }";
/** A few runs. The first of the last ones of each workspace waits for a person, so that it can get a comment. */
const SHAPE: Shape = { runCount: 1000, workspaceCount: 50, organizationCount: 1, logLineCount: 100 };
const LIVE_RUN = SHAPE.runCount - SHAPE.workspaceCount;
/** Between two events: what is gathered after one is over. */
const IDLE_MS = 15;
const LOST_MS = 10_000;
const SEED = 11;

export const BARE = "NOTIFY and ws";
export const PRODUCT = "Holdpoint";

/** Medians of each round, in milliseconds, by server. */
export async function measureLatency(
  context: BenchContext,
  { rounds, samples }: { readonly rounds: number; readonly samples: number },
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { masterKey, token } = context.database;
  const { connection } = await context.database.create("empty");
  await seed(connection, SHAPE, { masterKey, token });
  const runIds = [runId(SHAPE, LIVE_RUN)];
  const given = JSON.stringify({ runIds, connection, masterKey, token } satisfies ServerArguments);
  const bare = start("peers/streams-notify.ts", [given]);
  const product = start("peers/streams-events.ts", [given]);
  const sockets: WebSocket[] = [];
  try {
    for (const [server, asks] of [
      [bare, null],
      [product, { authorization: `Bearer ${token}`, runId: runIds[0] }],
    ] as const) {
      sockets.push(await connect(server, asks));
      for (let warm = 0; warm < samples; warm += 1) await sample(server, sockets.at(-1));
    }
    const subjects = [
      { name: BARE, measure: () => median(bare, sockets[0], samples) },
      { name: PRODUCT, measure: () => median(product, sockets[1], samples) },
    ];
    return await inRounds(subjects, { rounds, seed: SEED, signal: context.signal });
  } finally {
    for (const socket of sockets) socket.terminate();
    for (const server of [bare, product]) server.kill("SIGKILL");
  }
}

interface Asks {
  readonly authorization: string;
  readonly runId: string | undefined;
}

async function connect(server: ChildProcess, asks: Asks | null): Promise<WebSocket> {
  const { port } = await answer<ServerReply, "listening">(server, "listening");
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, "graphql-transport-ws", { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  if (asks === null) return socket;
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: asks.authorization } }));
  await message(socket, '"connection_ack"');
  const payload = { query: EVENTS_QUERY, variables: { id: asks.runId } };
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
  await message(socket, '"RunSnapshot"');
  return socket;
}

/** When it came, in microseconds. */
function message(socket: WebSocket, part: string): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once("message", (data) => {
      const at = nowUs();
      const text = Buffer.isBuffer(data) ? data.toString() : "";
      if (text.includes(part)) resolve(at);
      else reject(new Error(`Something else came: ${text}`));
    });
    AbortSignal.timeout(LOST_MS).addEventListener("abort", () => reject(new Error("Nothing came.")));
  });
}

async function sample(server: ChildProcess, socket: WebSocket | undefined): Promise<number> {
  if (socket === undefined) throw new Error("Nobody listens.");
  const received = message(socket, "Run");
  const [{ at }, came] = await Promise.all([
    answer<ServerReply, "committed">(server, "committed", "publish"),
    received,
  ]);
  await sleep(IDLE_MS);
  return (came - at) / 1000;
}

async function median(server: ChildProcess, socket: WebSocket | undefined, samples: number): Promise<number> {
  const found: number[] = [];
  for (let count = 0; count < samples; count += 1) found.push(await sample(server, socket));
  return percentile(
    found.toSorted((a, b) => a - b),
    0.5,
  );
}
