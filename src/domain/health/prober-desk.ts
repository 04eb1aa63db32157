import type { ProberDesk, ProbePool } from "../../model/health/prober-desk.ts";
import type { Deps } from "../kit/deps.ts";
import { leaseShards, leaveProbing } from "./lease-shards.ts";
import { reportHealth } from "./report-health.ts";

/** Creates the desk for the probers of a pool that are in this process. */
export function createProberDesk(deps: Pick<Deps, "database" | "cipher" | "clock">, pool: ProbePool): ProberDesk {
  return {
    lease: (request) => leaseShards(deps, pool, request),
    report: (report) => reportHealth(deps, pool, report),
    leave: (proberId) => leaveProbing(deps, pool, proberId),
  };
}
