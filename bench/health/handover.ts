/** How long targets stay without a probe after one of the servers that probe them was killed. */
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";
import type { ServerProcess } from "../measure/process.ts";

/** Gives the longest pause between two probes of each target, in milliseconds; one that is open at the end counts. */
function longestGaps(asked: readonly (readonly number[])[], fromMs: number, toMs: number): number[] {
  return asked.map((times) => {
    const within = [fromMs, ...times.filter((at) => at >= fromMs && at <= toMs), toMs];
    return Math.max(...within.slice(1).map((at, index) => at - (within[index] ?? at)));
  });
}

interface Handover {
  client: Client;
  servers: readonly ServerProcess[];
  asked: readonly (readonly number[])[];
  intervalMs: number;
}

/** Kills the first server by SIGKILL, waits until the others have probed everything, and returns lines of a report. */
export async function measureHandover({ client, servers, asked, intervalMs }: Handover): Promise<[string, string][]> {
  const holders = await untilShared(client, servers.length);
  const killedAt = Date.now();
  process.kill(servers[0]?.pid ?? Number.NaN, "SIGKILL");
  const { leaseMs } = HEALTH_LIMITS;
  await pause(leaseMs + 3 * intervalMs);
  const gaps = longestGaps(asked, killedAt - intervalMs, Date.now()).toSorted((a, b) => a - b);
  const quantile = (share: number): string => ((gaps[Math.floor((gaps.length - 1) * share)] ?? 0) / 1000).toFixed(1);
  const longest = (gaps.at(-1) ?? Number.NaN) / (leaseMs + intervalMs);
  return [
    ["shards of the servers before the kill", holders.join(", ")],
    ["longest pause of a target: p50, p99, max", `${quantile(0.5)}, ${quantile(0.99)}, ${quantile(1)} s`],
    ["the longest one, in lease and interval", longest.toFixed(2)],
    ["targets that waited for more than 90 s", String(gaps.filter((gap) => gap > 90_000).length)],
  ];
}

/** Waits until each server has shards; gives how many. */
async function untilShared(client: Client, servers: number): Promise<number[]> {
  for (;;) {
    const { rows } = await client.query<{ shards: number }>(
      `select count(*)::int as shards from probe_shard s join prober p on p.id = s.prober_id
       where p.lease_until > now() group by p.id`,
    );
    if (rows.length === servers) return rows.map(({ shards }) => shards);
    await pause(1000);
  }
}
