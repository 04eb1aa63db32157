/** The speed at which events reach many clients. All servers run with all of their clients, and are measured in turns. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { inRounds } from "../measure/rounds.ts";
import type { BenchContext } from "../part.ts";
import { linesAfter } from "./event.ts";
import { answer, type ClientsReply, type ServerArguments, start, type ServerReply } from "./messages.ts";

/** A server with clients of its own. */
export interface StreamServer {
  readonly name: string;
  /** Among the peers. */
  readonly program: string;
  /** The token of its clients; absent: that of the administrator. */
  readonly token?: string;
}

export const PRODUCT: StreamServer = { name: "Holdpoint", program: "streams-holdpoint.ts" };
const SERVERS: readonly StreamServer[] = [
  { name: "plain ws", program: "streams-plain.ts" },
  PRODUCT,
  { name: "graphql-ws", program: "streams-graphql-ws.ts" },
  { name: "mercurius", program: "streams-mercurius.ts" },
];
export const SERVER_NAMES: readonly string[] = SERVERS.map(({ name }) => name);

export interface FanOut {
  readonly clients: number;
  /** Clients of one run. */
  readonly perRun: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export interface Delivery {
  readonly messagesPerSecond: number;
  /** CPU time of the server. */
  readonly cpuUsPerMessage: number;
}

/** Memory of subscriptions while nothing happens. */
export interface Idle {
  /** KiB of the process by which all of them made it grow, for each. */
  readonly ofAll: number;
  /** KiB that the second half of them took, for each: of the process but for its young generation, and of the heap. */
  readonly furtherProcess: number;
  readonly furtherHeap: number;
}

export interface FanOutResult {
  /** By server, one a round. */
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  readonly idle: ReadonlyMap<string, Idle>;
}

/** Clients that warm a server up: the code and the room that they make it take are not counted. */
const WARMING = 500;
const SETTLE_MS = 1500;
/** Events that are under way at a time, so that no server waits until all clients have the last one. */
const WINDOW = 2;
const SEED = 7;

interface Contestant {
  readonly name: string;
  readonly server: ChildProcess;
  readonly clients: ChildProcess[];
  /** Events that all clients of each process have. */
  readonly arrived: number[];
  published: number;
  /** One of its processes has ended. */
  isBroken: boolean;
  wake: () => void;
}

export async function measureFanOut(
  context: BenchContext,
  plan: FanOut,
  servers: readonly StreamServer[] = SERVERS,
): Promise<FanOutResult> {
  const started: ChildProcess[] = [];
  try {
    const setUps = await Promise.all(servers.map((server) => setUp(server, context, plan, started)));
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
  { name, program, token: ownToken }: StreamServer,
  { database }: BenchContext,
  { clients, perRun }: FanOut,
  started: ChildProcess[],
): Promise<{ contestant: Contestant; memory: Idle }> {
  const runs = Math.ceil(clients / perRun);
  const runIds = Array.from({ length: runs }, (_, number) => database.sample.runId(number));
  const { connection, masterKey } = database;
  const token = ownToken ?? database.token;
  const server = start(`peers/${program}`, [
    JSON.stringify({ runIds, connection, masterKey, token } satisfies ServerArguments),
  ]);
  started.push(server);
  const contestant = createContestant(name, server);
  const { port } = await answer<ServerReply, "listening">(server, "listening");
  const connectClients = async (first: number, count: number): Promise<ChildProcess> => {
    const given = [...[port, first, count, perRun].map(String), JSON.stringify(runIds), token];
    const child = start("streams/clients.ts", given);
    started.push(child);
    await answer<ClientsReply, "ready">(child, "ready");
    return child;
  };
  const memory = async (): Promise<Extract<ServerReply, { type: "memory" }>> => {
    await sleep(SETTLE_MS);
    return answer<ServerReply, "memory">(server, "memory", "memory");
  };
  const warm = await connectClients(0, Math.min(WARMING, clients));
  warm.kill("SIGKILL");
  const none = await memory();
  const half = Math.ceil(clients / 2);
  join(contestant, await connectClients(0, half));
  const some = await memory();
  join(contestant, await connectClients(half, clients - half));
  const all = await memory();
  const further = clients - half;
  const idle = {
    ofAll: (all.rss - none.rss) / clients / 1024,
    furtherProcess: (all.rss - all.young - (some.rss - some.young)) / further / 1024,
    furtherHeap: (all.heap - some.heap) / further / 1024,
  };
  return { contestant, memory: idle };
}

function createContestant(name: string, server: ChildProcess): Contestant {
  const wake = (): void => undefined;
  const contestant: Contestant = { name, server, clients: [], arrived: [], published: 0, isBroken: false, wake };
  breakAtEnd(contestant, server);
  return contestant;
}

/** Watches for the end of a process from its start, because one may end while others still connect. */
function breakAtEnd(contestant: Contestant, child: ChildProcess): void {
  child.once("exit", () => {
    contestant.isBroken = true;
    contestant.wake();
  });
}

/** Counts what comes to the clients of this process. */
function join(contestant: Contestant, child: ChildProcess): void {
  breakAtEnd(contestant, child);
  const index = contestant.clients.push(child) - 1;
  contestant.arrived.push(0);
  child.on("message", (message: ClientsReply) => {
    if (message.type !== "events") return;
    contestant.arrived[index] = message.count;
    contestant.wake();
  });
}

/** Publishes events for a while, and waits until all clients have all of them. */
async function deliver(contestant: Contestant, { clients }: FanOut, ms: number): Promise<Delivery> {
  const { server } = contestant;
  const before = await answer<ServerReply, "usage">(server, "usage", "usage");
  const startedAt = performance.now();
  const first = contestant.published;
  while (performance.now() - startedAt < ms) {
    contestant.published += 1;
    server.send("publish");
    await arrival(contestant, contestant.published - WINDOW + 1);
  }
  await arrival(contestant, contestant.published);
  const tookMs = performance.now() - startedAt;
  const after = await answer<ServerReply, "usage">(server, "usage", "usage");
  const messages = (contestant.published - first) * clients;
  return {
    messagesPerSecond: (messages / tookMs) * 1000,
    cpuUsPerMessage: (after.cpuUs - before.cpuUs) / messages,
  };
}

const LOST_MS = 60_000;

/** Waits until all clients have so many events. */
async function arrival(contestant: Contestant, count: number): Promise<void> {
  const lost = AbortSignal.timeout(LOST_MS);
  while (contestant.arrived.some((events) => events < count)) {
    if (contestant.isBroken) throw new Error(`A process of ${contestant.name} has ended.`);
    if (lost.aborted) throw await describeLoss(contestant);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        lost.removeEventListener("abort", wake);
        resolve();
      };
      lost.addEventListener("abort", wake, { once: true });
      contestant.wake = wake;
    });
  }
}

/** Describes how many clients have how many of the published events. */
async function describeLoss({ name, published, clients }: Contestant): Promise<Error> {
  const tallies = await Promise.all(
    clients.map(async (child) => (await answer<ClientsReply, "tally">(child, "tally", "tally")).counts),
  );
  const counts = tallies.flat().map(([messages, count]) => `${messages} have come to ${count} clients`);
  return new Error(`${name} has published ${published} events: ${counts.join(", ")}.`);
}

/** Checks that the first message has the published lines, in the form of the protocol. */
async function check({ name, clients }: Contestant): Promise<void> {
  for (const child of clients) {
    const { message } = await answer<ClientsReply, "sample">(child, "sample", "sample");
    const { type, payload } = JSON.parse(message);
    const isRight = type === "next" && JSON.stringify(payload.data.runLog.lines) === JSON.stringify(linesAfter(0));
    if (!isRight) throw new Error(`${name} has sent something else: ${message.slice(0, 500)}`);
  }
}
