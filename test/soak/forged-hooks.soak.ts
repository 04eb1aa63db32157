/** Ten thousand posts that are not authentic leave no row, and authentic hooks and queries beside them hardly wait longer. */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Client } from "pg";
import { expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { deliver, push } from "../support/hook-delivery.ts";
import { createHost, createRepository } from "../support/repository-steps.ts";
import { startServerProcess } from "../support/server-process.ts";
import type { ForgedLoad } from "./forged-load.ts";

const POSTS = 10_000;
const PER_SECOND = 1000;
const WINDOW_MS = (POSTS / PER_SECOND) * 1000;
const PAIRS = 3;
/** Of the 99th percentile, in the middle of the pairs. */
const MOST = 3;

it("leaves no row, and others hardly wait longer", { timeout: 10 * 60_000 }, async () => {
  await using database = await createTestDatabase();
  await using server = await startServerProcess({
    env: {
      DATABASE_URL: database.url,
      HOLDPOINT_RUNNER_SLOTS: "0",
      // The stranger has another address than the hosts.
      HOLDPOINT_TRUSTED_PROXIES: "127.0.0.1/32",
    },
  });
  const client = new Client({ ...database.connection });
  await client.connect();
  const { gitHost, hookSecret } = await createHost(server.api, { kind: "GITHUB" });
  await createRepository(server.api, gitHost.id);
  const rows = async () =>
    (await client.query("select (select count(*) from hint) hints, (select count(*) from ref_change) changes")).rows[0];
  let deliveries = 0;
  const measure = async (): Promise<number[]> => {
    const times: number[] = [];
    const until = performance.now() + WINDOW_MS;
    while (performance.now() < until) {
      const delivery = push("GITHUB", hookSecret, { delivery: `real-${(deliveries += 1)}` });
      const headers = { ...delivery.headers, "x-forwarded-for": "192.0.2.7" };
      const sentAt = performance.now();
      expect(await deliver(server.url, gitHost.hookPath, { ...delivery, headers })).toBe(202);
      times.push(performance.now() - sentAt);
      await sleep(20);
    }
    return times;
  };
  await measure();
  const ratios: number[] = [];
  const statuses: Record<number, number> = {};
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const alone = await measure();
    const before = deliveries;
    const load: ForgedLoad = { url: server.url, hookPath: gitHost.hookPath, count: POSTS, perSecond: PER_SECOND };
    const worker = new Worker(new URL("./forged-load.ts", import.meta.url), { workerData: load });
    const ended = new Promise<Record<number, number>>((resolve) => worker.once("message", resolve));
    const beside = await measure();
    for (const [status, times] of Object.entries(await ended)) {
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + times;
    }
    ratios.push(percentile(beside) / percentile(alone));
    console.log({ alone: percentile(alone), beside: percentile(beside), sent: deliveries - before });
  }
  console.log({ ratios, statuses });
  // Those that were authentic, each once.
  expect(await rows()).toEqual({ hints: String(deliveries), changes: "0" });
  expect(Object.keys(statuses).toSorted()).toEqual(["401", "429"]);
  expect(Object.values(statuses).reduce((sum, times) => sum + times, 0)).toBe(PAIRS * POSTS);
  expect(ratios.toSorted((one, other) => one - other)[1]).toBeLessThan(MOST);
  await client.end();
});

function percentile(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
