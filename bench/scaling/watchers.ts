/** The cost of a watcher: memory of a server per open subscription, and CPU for one event that one of them gets. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { createRun, createWorkspace } from "../../test/support/run-steps.ts";
import { costOf, type Measured, type Server, short, table, TOKEN, type World } from "./world.ts";

const STEPS = { full: [0, 1000, 5000, 10_000], quick: [0, 200, 1000] };
const QUIET_MS = { full: 10_000, quick: 2000 };
const EVENTS = 10;
const RUNS = 10;
const AT_ONCE = 50;
const SUBSCRIPTION = "subscription ($id: ID!) { runEvents(runId: $id) { ... on RunEvent { version } } }";

export async function watchers(world: World): Promise<Measured> {
  const size = world.quick ? "quick" : "full";
  await using place = await world.database("watchers");
  await using server = await world.server(place);
  const source = join(world.folder, "watched");
  await mkdir(source);
  await writeFile(join(source, "main.tf"), "");
  const runIds: string[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    const workspace = await createWorkspace(server.process.api, `workspace-${number}`, source);
    runIds.push(await createRun(server.process.api, workspace));
  }
  const sockets: WebSocket[] = [];
  const received = { count: 0 };
  const steps: Step[] = [];
  for (const step of STEPS[size]) {
    while (sockets.length < step) {
      const batch = Array.from({ length: AT_ONCE }, (_, index) =>
        watch(server, runIds[(sockets.length + index) % RUNS] ?? "", received),
      );
      sockets.push(...(await Promise.all(batch)));
    }
    await sleep(3000);
    const quiet = await costOf(world, [server], () => sleep(QUIET_MS[size]));
    const idleMs = (quiet.server * 1e6) / QUIET_MS[size];
    const deliveryUs = step === 0 ? null : await notifyAll(world, server, runIds, received, step);
    steps.push({ watchers: step, mib: server.memory() / 1024 / 1024, idleMs, deliveryUs: deliveryUs ?? Number.NaN });
  }
  for (const socket of sockets) socket.terminate();
  return report(steps);
}

interface Step {
  watchers: number;
  /** Memory of the server. */
  mib: number;
  /** Milliseconds of CPU a second while nothing happens. */
  idleMs: number;
  /** Microseconds of CPU for each delivery. */
  deliveryUs: number;
}

function report(steps: readonly Step[]): Measured {
  const [none, first, last] = [steps[0], steps[1], steps.at(-1)];
  if (none === undefined || first === undefined || last === undefined) throw new Error("Nothing was measured.");
  const rows = steps.map(({ watchers: count, mib, idleMs, deliveryUs }) => [
    count.toLocaleString("en"),
    short(mib),
    count === 0 ? "" : short(((mib - none.mib) * 1024) / count),
    short(idleMs),
    count === 0 ? "" : short(deliveryUs),
  ]);
  const columns = ["watchers", "server MiB", "KiB each", "idle CPU ms a second", "CPU us a delivered event"];
  return {
    "watchers.costs": table(columns, rows),
    "watchers.runs": RUNS,
    "watchers.first": first.watchers,
    "watchers.last": last.watchers,
    "watchers.ownMib": none.mib,
    "watchers.firstMib": first.mib - none.mib,
    // Of those after the first ones, for which the process takes room once.
    "watchers.kib": ((last.mib - first.mib) * 1024) / (last.watchers - first.watchers),
    "watchers.idleUs": Math.max(0, (last.idleMs - none.idleMs) * 1000) / last.watchers,
    "watchers.deliveryUs": last.deliveryUs,
  };
}

/** Microseconds of the server's CPU for each delivery. */
async function notifyAll(
  world: World,
  server: Server,
  runIds: readonly string[],
  received: { count: number },
  step: number,
): Promise<number> {
  const before = received.count;
  const cost = await costOf(world, [server], async () => {
    for (let event = 0; event < EVENTS; event += 1) {
      for (const runId of runIds) await prioritize(server, runId, (event % 90) + 1 + Math.floor(step / 1000));
    }
    for (let waited = 0; received.count - before < EVENTS * step && waited < 30_000; waited += 50) await sleep(50);
  });
  return (cost.server / (received.count - before)) * 1e6;
}

async function prioritize(server: Server, runId: string, priority: number): Promise<void> {
  await server.process.api.ask(
    "mutation ($input: PrioritizeRunInput!) { prioritizeRun(input: $input) { __typename } }",
    { input: { runId, priority } },
  );
}

function watch(server: Server, runId: string, received: { count: number }): Promise<WebSocket> {
  const socket = new WebSocket(`${server.process.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () =>
      socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: `Bearer ${TOKEN}` } })),
    );
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      if (text.includes('"connection_ack"')) {
        const payload = { query: SUBSCRIPTION, variables: { id: runId } };
        socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }), () => resolve(socket));
      } else if (text.includes('"next"')) received.count += 1;
      else if (text.includes('"ping"')) socket.send('{"type":"pong"}');
    });
  });
}
