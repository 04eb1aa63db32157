/**
 * One client at a hundred times its limit beside twenty others: what theirs take longer, as a ratio, and the CPU of the
 * server. Other work on the machine hides both: the CPU of a refused request is what a busy machine can show.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { cpuMsOf } from "../support/process-cpu.ts";
import { send } from "../support/send.ts";
import { startServerProcess } from "../support/server-process.ts";
import type { AbuserLoad } from "./abuser-load.ts";

const POINTS_PER_MINUTE = 1200;
const POINTS = 5;
const BODY = JSON.stringify({ query: `{ runs(first: ${POINTS}) { edges { node { id status } } } }` });
const OTHERS = 20;
const EVERY_MS = 500;
const WINDOW_MS = 10_000;
const PAIRS = 5;
/** Of the 99th percentile, in the middle of the pairs. */
const MOST = 1.2;

it("others wait at most a fifth longer", { timeout: 10 * 60_000 }, async () => {
  await using server = await startServerProcess({
    env: {
      HOLDPOINT_LIMIT_POINTS_PER_MINUTE: String(POINTS_PER_MINUTE),
      HOLDPOINT_LIMIT_POINTS_AT_ONCE: "400",
      HOLDPOINT_RUNNER_SLOTS: "0",
    },
  });
  const tokens: string[] = [];
  for (let index = 0; index <= OTHERS; index += 1) tokens.push(await createToken(server.api, `client-${index}`));
  const [abuser = "", ...others] = tokens;
  const perSecond = (POINTS_PER_MINUTE * 100) / 60 / POINTS;
  const load: AbuserLoad = { url: server.url, token: abuser, body: BODY, perSecond, forMs: WINDOW_MS };

  await measure(server.url, others);
  const pairs: { alone: Window; beside: Window }[] = [];
  const statuses: Record<number, number> = {};
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const alone = await windowOf(server.pid, () => measure(server.url, others));
    const worker = new Worker(new URL("./abuser-load.ts", import.meta.url), { workerData: load });
    const ended = new Promise<Record<number, number>>((resolve) => worker.once("message", resolve));
    const beside = await windowOf(server.pid, () => measure(server.url, others));
    for (const [status, times] of Object.entries(await ended)) {
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + times;
    }
    pairs.push({ alone, beside });
  }
  const ratios = pairs.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms);
  const moreCpuMs = pairs.reduce((sum, { alone, beside }) => sum + beside.cpuMs - alone.cpuMs, 0);
  // It was refused nearly always, and it did send as much.
  const refused = statuses[429] ?? 0;
  const sent = Object.values(statuses).reduce((sum, times) => sum + times, 0);
  const usOfRequest = (moreCpuMs * 1000) / sent;
  console.log({ perSecond, pairs, ratios, statuses, ratio: percentile(ratios, 0.5), usOfRequest });
  expect(sent).toBeGreaterThan(perSecond * (WINDOW_MS / 1000) * PAIRS * 0.9);
  expect(refused / sent).toBeGreaterThan(0.95);
  expect(percentile(ratios, 0.5)).toBeLessThan(MOST);
});

interface Window {
  p99Ms: number;
  /** The CPU of the process of the server. */
  cpuMs: number;
}

async function windowOf(pid: number, measured: () => Promise<number[]>): Promise<Window> {
  const before = await cpuMsOf(pid);
  const times = await measured();
  return { p99Ms: percentile(times, 0.99), cpuMs: (await cpuMsOf(pid)) - before };
}

type Client = Awaited<ReturnType<typeof startServerProcess>>["api"];

async function createToken(api: Client, name: string): Promise<string> {
  const mutation = `mutation($name: String!) { createToken(input: { name: $name, role: READER }) {
    ... on CreateTokenSuccess { secret } } }`;
  // The administrator has limits too.
  await sleep(100);
  return (await api.ask(mutation, { name })).createToken.secret;
}

/** The times of requests of all others, each of which sends one every half second. */
async function measure(url: string, tokens: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + WINDOW_MS;
  const client = async (token: string, index: number): Promise<void> => {
    await sleep((EVERY_MS * index) / tokens.length);
    for (let due = performance.now(); due < until; due += EVERY_MS) {
      await sleep(Math.max(0, due - performance.now()));
      const askedAt = performance.now();
      const { status } = await send(`${url}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: BODY,
      });
      expect(status).toBe(200);
      times.push(performance.now() - askedAt);
    }
  };
  await Promise.all(tokens.map(client));
  return times;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
