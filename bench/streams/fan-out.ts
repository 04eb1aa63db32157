/** How fast events reach many clients: all servers stand with all of their clients, and are measured in turns. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { inRounds } from "../measure/rounds.ts";
import type { BenchContext } from "../part.ts";
import { linesAfter } from "./event.ts";
import { answer, type ClientsTold, type ServerArguments, start, type Told } from "./messages.ts";

export const SERVERS = {
  "plain ws": "streams-plain.ts",
  Holdpoint: "streams-holdpoint.ts",
  "graphql-ws": "streams-graphql-ws.ts",
  mercurius: "streams-mercurius.ts",
} as const;
export type ServerName = keyof typeof SERVERS;
export const SERVER_NAMES: readonly ServerName[] = ["plain ws", "Holdpoint", "graphql-ws", "mercurius"];

export interface FanOut {
  readonly clients: number;
  /** Clients of one run. */
  readonly perRun: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export interface Delivery {
  readonly messagesPerSecond: number;
  /** Of the server. */
  readonly cpuUsPerMessage: number;
}

/** KiB that a subscription takes while nothing happens. */
export interface Idle {
  readonly rss: number;
  readonly heap: number;
}

export interface FanOutResult {
  /** By server, one a round. */
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  readonly idle: ReadonlyMap<ServerName, Idle>;
}

/** Sockets that one process opens at most. */
const CLIENTS_A_PROCESS = 5000;
/** What the first clients of a server make, compiled code and room for what comes and goes, is nobody's. */
const WARMING = 500;
const SETTLE_MS = 1500;
/** Events that are under way at a time, so that no server waits for the news that everybody has the last one. */
const WINDOW = 2;
const SEED = 7;

interface Contestant {
  readonly name: ServerName;
  readonly server: ChildProcess;
  readonly clients: readonly ChildProcess[];
  /** Events that all clients of each process have. */
  readonly arrived: number[];
  published: number;
  /** One of its processes has ended. */
  isBroken: boolean;
  wake: () => void;
}

export async function measureFanOut(context: BenchContext, plan: FanOut): Promise<FanOutResult> {
  const started: ChildProcess[] = [];
  try {
    const setUps = await Promise.all(SERVER_NAMES.map((name) => setUp(name, context, plan, started)));
    const contestants = setUps.map(({ contestant }) => contestant);
    const idle = new Map(setUps.map(({ contestant, memory }) => [contestant.name, memory]));
    for (const contestant of contestants) {
      await deliver(contestant, plan, plan.roundMs / 2);
      await check(contestant);
    }
    const deliveries = await inRounds(
      contestants.map((contestant) => ({
        name: contestant.name,
        measure: () => deliver(contestant, plan, plan.roundMs),
      })),
      { rounds: plan.rounds, seed: SEED, signal: context.signal },
    );
    return { deliveries, idle };
  } finally {
    for (const child of started) child.kill("SIGKILL");
  }
}

async function setUp(
  name: ServerName,
  { database }: BenchContext,
  { clients, perRun }: FanOut,
  started: ChildProcess[],
): Promise<{ contestant: Contestant; memory: Idle }> {
  const runs = Math.ceil(clients / perRun);
  const runIds = Array.from({ length: runs }, (_, number) => database.sample.runId(number));
  const { connection, masterKey, token } = database;
  const server = start(`peers/${SERVERS[name]}`, [
    JSON.stringify({ runIds, connection, masterKey, token } satisfies ServerArguments),
  ]);
  started.push(server);
  const { port } = await answer<Told, "listening">(server, "listening");
  const connectClients = async (first: number, count: number): Promise<ChildProcess> => {
    const child = start("streams/clients.ts", [
      ...[port, first, count, perRun].map(String),
      JSON.stringify(runIds),
      token,
    ]);
    started.push(child);
    await answer<ClientsTold, "ready">(child, "ready");
    return child;
  };
  const warm = await connectClients(0, Math.min(WARMING, clients));
  warm.kill("SIGKILL");
  await sleep(SETTLE_MS);
  const before = await answer<Told, "memory">(server, "memory", "memory");
  const children: ChildProcess[] = [];
  for (let first = 0; first < clients; first += CLIENTS_A_PROCESS) {
    children.push(await connectClients(first, Math.min(CLIENTS_A_PROCESS, clients - first)));
  }
  await sleep(SETTLE_MS);
  const after = await answer<Told, "memory">(server, "memory", "memory");
  const kib = (bytes: number): number => bytes / clients / 1024;
  const memory = { rss: kib(after.rss - before.rss), heap: kib(after.heap - before.heap) };
  const contestant: Contestant = {
    name,
    server,
    clients: children,
    arrived: children.map(() => 0),
    published: 0,
    isBroken: false,
    wake: () => undefined,
  };
  for (const child of [server, ...children]) {
    child.once("exit", () => {
      contestant.isBroken = true;
      contestant.wake();
    });
  }
  for (const [index, child] of children.entries()) {
    child.on("message", (message: ClientsTold) => {
      if (message.type !== "events") return;
      contestant.arrived[index] = message.count;
      contestant.wake();
    });
  }
  return { contestant, memory };
}

/** Publishes events for a while, and waits until all clients have all of them. */
async function deliver(contestant: Contestant, { clients }: FanOut, ms: number): Promise<Delivery> {
  const { server } = contestant;
  const before = await answer<Told, "usage">(server, "usage", "usage");
  const startedAt = performance.now();
  const first = contestant.published;
  while (performance.now() - startedAt < ms) {
    contestant.published += 1;
    server.send("publish");
    await arrival(contestant, contestant.published - WINDOW + 1);
  }
  await arrival(contestant, contestant.published);
  const tookMs = performance.now() - startedAt;
  const after = await answer<Told, "usage">(server, "usage", "usage");
  const messages = (contestant.published - first) * clients;
  return {
    messagesPerSecond: (messages / tookMs) * 1000,
    cpuUsPerMessage: (after.cpuUs - before.cpuUs) / messages,
  };
}

const LOST_MS = 60_000;

/** Until everybody has so many events. */
async function arrival(contestant: Contestant, count: number): Promise<void> {
  const lost = AbortSignal.timeout(LOST_MS);
  while (contestant.arrived.some((events) => events < count)) {
    if (contestant.isBroken) throw new Error(`A process of ${contestant.name} has ended.`);
    await new Promise<void>((resolve, reject) => {
      const onLost = (): void =>
        reject(
          new Error(
            `${contestant.name} has published ${contestant.published} events; there came ${contestant.arrived.join(", ")}.`,
          ),
        );
      lost.addEventListener("abort", onLost, { once: true });
      contestant.wake = () => {
        lost.removeEventListener("abort", onLost);
        resolve();
      };
    });
  }
}

/** The first message says what was published, and in the words of the protocol. */
async function check({ name, clients }: Contestant): Promise<void> {
  for (const child of clients) {
    const { message } = await answer<ClientsTold, "sample">(child, "sample", "sample");
    const { type, payload } = JSON.parse(message);
    const isRight = type === "next" && JSON.stringify(payload.data.runLog.lines) === JSON.stringify(linesAfter(0));
    if (!isRight) throw new Error(`${name} has sent something else: ${message.slice(0, 500)}`);
  }
}
