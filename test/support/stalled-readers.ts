import { expect } from "vitest";
import { startRun } from "./change-source.ts";
import { Follower } from "./follower.ts";
import { startInProcess } from "./in-process.ts";
import { startStalledCrowd, untilStalled, usedMemory, writeLog } from "./stalled.ts";
import { waitUntil } from "./eventually.ts";

const BATCHES = 60;
const LINES = 200;
const LINE_BYTES = 1000;
const SAMPLE_MS = 500;

/** In bytes, at most. */
export interface Growth {
  heap: number;
  /** Buffers beside the heap; those of the database's connections, which are opened meanwhile, are among them. */
  external: number;
  /** How many were there at once, at most. */
  atOnce: number;
}

/** How much a server grows by so many readers that never read; everybody else gets everything meanwhile. */
export async function growthByStalledReaders(count: number, timeoutMs: number): Promise<Growth> {
  await using server = await startInProcess();
  const { run, job } = await startRun(server);
  await writeLog(job, BATCHES, LINES, LINE_BYTES);
  const { url, token } = server.api;
  let growth: Growth;
  {
    // Whatever the first streams make, caches and compiled code, is not counted.
    await using first = await startStalledCrowd(url, token, run, 5);
    await untilStalled(first.serverSides, timeoutMs);
    const before = usedMemory();
    growth = { heap: 0, external: 0, atOnce: 0 };
    // All the time: on a busy machine the first of them are closed before the last ones come.
    const sampling = setInterval(() => {
      const { heapUsed, external } = usedMemory();
      growth.heap = Math.max(growth.heap, heapUsed - before.heapUsed);
      growth.external = Math.max(growth.external, external - before.external);
      growth.atOnce = Math.max(growth.atOnce, server.hub.size - first.serverSides.length);
    }, SAMPLE_MS);
    await using crowd = await startStalledCrowd(url, token, run, count);
    await untilStalled(crowd.serverSides, timeoutMs);
    clearInterval(sampling);
    expect(crowd.serverSides.length).toBeGreaterThanOrEqual(count);

    const follower = new Follower("runLog", run);
    const following = follower.connect(server.api);
    await writeLog(job, 1, 1, 10);
    const total = BATCHES * LINES + 1;
    await follower.until(({ lines }) => lines?.at(-1)?.number === total);
    expect(follower.lineNumbers).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    await follower.leave();
    await following;
  }
  await waitUntil(() => server.hub.size === 0, { timeout: timeoutMs });
  expect(server.reported).toEqual([]);
  return growth;
}
