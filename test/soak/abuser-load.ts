/** Runs in a thread of its own, so that what it sends does not delay what others measure: requests at a steady rate. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** The load of one client that sends more than it may. */
export interface AbuserLoad {
  url: string;
  token: string;
  body: string;
  perSecond: number;
  forMs: number;
}

const { url, token, body, perSecond, forMs }: AbuserLoad = workerData;
const EVERY_MS = 10;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const statuses: Record<number, number> = {};

function send(): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve) => {
    const sent = request(`${url}/graphql`, { agent, method: "POST", headers }, (response) => {
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
let count = 0;
while (performance.now() - startedAt < forMs) {
  const due = ((performance.now() - startedAt) / 1000) * perSecond;
  for (; count < due; count += 1) {
    const one = send().finally(() => open.delete(one));
    open.add(one);
  }
  await sleep(EVERY_MS);
}
await Promise.all(open);
agent.destroy();
parentPort?.postMessage(statuses);
