/** Targets without a prober: their health is UNKNOWN after some intervals, and never an outage. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import { PUBLIC_PROBES, type ProbePool } from "../../model/health/prober-desk.ts";
import { lockHealth } from "../../persistence/health/health-store.ts";
import { freeShards } from "../../persistence/health/prober-store.ts";
import { type AbsentTarget, listAbsentTargets, markAbsent } from "../../persistence/health/target-store.ts";
import type { Deps } from "../kit/deps.ts";
import { judgeWorkspaces } from "./judge-workspaces.ts";

type AbsentDeps = Pick<Deps, "database" | "clock">;

/** Frees the shards of probers that are gone, and notes the targets that none has probed for three intervals. */
export async function noteAbsentTargets(deps: AbsentDeps): Promise<number> {
  const at = deps.clock().toISOString();
  await deps.database.transaction((tx) => freeShards(tx, at, null));
  const absent = await listAbsentTargets(deps.database, at, HEALTH_LIMITS.roundRows);
  if (absent.length > 0) await note(deps, absent, at);
  return absent.length;
}

async function note(deps: AbsentDeps, absent: readonly AbsentTarget[], at: string): Promise<void> {
  const workspaceIds = [...new Set(absent.map(({ workspaceId }) => workspaceId))].toSorted();
  await deps.database.transaction(async (tx) => {
    const locked = await lockHealth(tx, workspaceIds);
    for (const [pool, targets] of Map.groupBy(absent, (target) => target.pool)) {
      const ids = targets.map(({ id }) => id);
      await markAbsent(tx, ids, { at, reason: absenceOf(pool) });
    }
    await judgeWorkspaces(tx, deps, locked);
  });
}

function absenceOf(pool: ProbePool): string {
  return pool === PUBLIC_PROBES
    ? "No server probes it at the moment."
    : "No runner that may reach it sends probes: start one with HOLDPOINT_RUNNER_PROBES.";
}
