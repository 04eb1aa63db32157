/**
 * How fast events reach many clients, and what an idle subscription costs: `npm run bench:streams`. The product against
 * a plain broadcast and against an execution for each client, in turns on the same machine; only ratios mean anything.
 * An event is ten lines of a log. Arguments: `--clients 1000,5000`, `--rounds 3`, `--seconds 3`, `--idle 5000`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Asked, MODES, type Mode, type Told } from "./messages.ts";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "1000,5000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    idle: { type: "string", default: "5000" },
    modes: { type: "string", default: MODES.join() },
  },
});
const seconds = Number(values.seconds);
const modes = MODES.filter((mode) => values.modes.split(",").includes(mode));
const PROCESSES = 2;
const WARMING = 1000;
const PATIENCE_MS = 120_000;

interface Figures {
  messagesPerSecond: number;
  cpuUsPerMessage: number;
  /** Of what was sent, as counted by the clients. */
  delivered: number;
  rssPerClient: number;
  heapPerClient: number;
}

function answer<T>(child: ChildProcess, ask: Asked | "count" | null): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error("A process of the measurement ended."));
    child.once("exit", gone);
    child.once("message", (message: T) => {
      child.off("exit", gone);
      resolve(message);
    });
    if (ask !== null) child.send(ask);
    AbortSignal.timeout(PATIENCE_MS).addEventListener("abort", () => reject(new Error("No answer.")));
  });
}

type Of<Type extends Told["type"]> = Extract<Told, { type: Type }>;

async function measure(mode: Mode, clients: number, perRun: number, ms: number): Promise<Figures> {
  const runs = Math.ceil(Math.max(clients, WARMING) / perRun);
  const file = (name: string): string => new URL(name, import.meta.url).pathname;
  const server = fork(file("server.ts"), [mode, String(runs)], {
    execArgv: ["--expose-gc"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const children: ChildProcess[] = [];
  try {
    const { port } = await answer<Of<"listening">>(server, null);
    // What the first clients of a server make, compiled code and room for what comes and goes, is nobody's.
    const first = fork(file("clients.ts"), [port, 0, WARMING, perRun].map(String));
    children.push(first);
    await answer(first, null);
    first.kill("SIGKILL");
    children.pop();
    await setTimeout(1000);
    const before = await answer<Of<"memory">>(server, { type: "memory" });
    for (let index = 0; index < PROCESSES; index += 1) {
      const share = clients / PROCESSES;
      children.push(fork(file("clients.ts"), [port, index * share, share, perRun].map(String)));
    }
    await Promise.all(children.map((child) => answer(child, null)));
    await setTimeout(2000);
    const idle = await answer<Of<"memory">>(server, { type: "memory" });
    const perClient = (bytes: number): number => bytes / clients / 1024;
    const memory = {
      rssPerClient: perClient(idle.rss - before.rss),
      heapPerClient: perClient(idle.heap + idle.external - before.heap - before.external),
    };
    if (ms === 0) return { messagesPerSecond: 0, cpuUsPerMessage: 0, delivered: 1, ...memory };
    await answer<Of<"measured">>(server, { type: "measure", ms: ms / 2, clients });
    await setTimeout(500);
    const counted = await total(children);
    const { messages, cpuUs, ms: took } = await answer<Of<"measured">>(server, { type: "measure", ms, clients });
    await setTimeout(500);
    return {
      messagesPerSecond: (messages / took) * 1000,
      cpuUsPerMessage: cpuUs / messages,
      delivered: ((await total(children)) - counted) / messages,
      ...memory,
    };
  } finally {
    for (const child of [server, ...children]) child.kill("SIGKILL");
  }
}

async function total(children: ChildProcess[]): Promise<number> {
  const counts = await Promise.all(children.map((child) => answer<number>(child, "count")));
  return counts.reduce((sum, count) => sum + count, 0);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

async function compare(clients: number, perRun: number, rounds: number): Promise<void> {
  const found = new Map<Mode, Figures[]>(modes.map((mode) => [mode, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of modes) found.get(mode)?.push(await measure(mode, clients, perRun, seconds * 1000));
  }
  const middle = (mode: Mode, pick: (figures: Figures) => number): number => median((found.get(mode) ?? []).map(pick));
  console.log(`\n${clients} clients, ${perRun === clients ? "all of one run" : `${perRun} a run`}, ${rounds} rounds`);
  for (const mode of modes) {
    const rate = middle(mode, ({ messagesPerSecond }) => messagesPerSecond);
    const cpu = middle(mode, ({ cpuUsPerMessage }) => cpuUsPerMessage);
    const rateRatio = rate / middle("plain", ({ messagesPerSecond }) => messagesPerSecond);
    const cpuRatio = middle("plain", ({ cpuUsPerMessage }) => cpuUsPerMessage) / cpu;
    console.log(
      `${mode.padEnd(8)} ${rate.toFixed(0).padStart(7)} msg/s (${rateRatio.toFixed(2)} of plain), ` +
        `${cpu.toFixed(1)} us CPU a message (${cpuRatio.toFixed(2)}), ` +
        `delivered ${middle(mode, ({ delivered }) => delivered).toFixed(3)}, ` +
        `idle ${middle(mode, ({ rssPerClient }) => rssPerClient).toFixed(1)} KiB of rss and ` +
        `${middle(mode, ({ heapPerClient }) => heapPerClient).toFixed(1)} KiB of heap a client`,
    );
  }
}

const idle = Number(values.idle);
if (idle > 0) {
  console.log(`Idle subscriptions, ${idle} clients of one run:`);
  for (const mode of modes) {
    const { rssPerClient, heapPerClient } = await measure(mode, idle, idle, 0);
    console.log(`${mode.padEnd(8)} ${rssPerClient.toFixed(1)} KiB of rss, ${heapPerClient.toFixed(1)} KiB of heap`);
  }
}
for (const clients of values.clients.split(",").filter(Boolean).map(Number)) {
  await compare(clients, clients, Number(values.rounds));
  await compare(clients, 10, Number(values.rounds));
}
