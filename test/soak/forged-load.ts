/** Runs in a thread of its own: posts to hooks that are not authentic, at a steady rate. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** The load of a stranger. */
export interface ForgedLoad {
  url: string;
  /** The path of hooks of a host; half of the posts go to paths that do not exist. */
  hookPath: string;
  count: number;
  perSecond: number;
}

const { url, hookPath, count, perSecond }: ForgedLoad = workerData;
const EVERY_MS = 10;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const body = JSON.stringify({ ref: "refs/heads/main", repository: { id: 42, full_name: "acme/infrastructure" } });
const statuses: Record<number, number> = {};

function send(index: number): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-github-event": "push",
    "x-github-delivery": String(index),
    // Some have none.
    ...(index % 3 > 0 && { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }),
  };
  const path = index % 2 === 0 ? hookPath : `/hooks/path-${index}`;
  return new Promise((resolve) => {
    const sent = request(url + path, { agent, method: "POST", headers }, (response) => {
      const { statusCode = 0 } = response;
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      response.resume().once("close", resolve);
    });
    sent.once("error", () => resolve());
    sent.end(body);
  });
}

const startedAt = performance.now();
const open = new Set<Promise<void>>();
for (let index = 0; index < count; ) {
  const due = Math.min(count, ((performance.now() - startedAt) / 1000) * perSecond);
  for (; index < due; index += 1) {
    const one = send(index).finally(() => open.delete(one));
    open.add(one);
  }
  await sleep(EVERY_MS);
}
await Promise.all(open);
agent.destroy();
parentPort?.postMessage(statuses);
