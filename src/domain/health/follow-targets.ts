/** Makes the targets of workspaces follow their probes, outputs and variables. */
import { isDeepStrictEqual } from "node:util";
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import { type PlannedTarget, planTargets } from "../../model/health/plan-targets.ts";
import type { TargetKey } from "../../model/health/target-hash.ts";
import { NEW_TARGET } from "../../model/health/target-state.ts";
import { deployedBy } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listStaleHealth, type LockedHealth, lockHealth, updateHealth } from "../../persistence/health/health-store.ts";
import { touchShards } from "../../persistence/health/prober-store.ts";
import {
  deleteTargets,
  insertTarget,
  listTargets,
  type StoredTarget,
  type TargetStanding,
  updateTarget,
} from "../../persistence/health/target-store.ts";
import { listProbes } from "../../persistence/probe/probe-store.ts";
import { findDeploymentInputs } from "../../persistence/workspace/deployment-store.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readProbeValues } from "../probe/probe-values.ts";
import { judgeWorkspaces } from "./judge-workspaces.ts";

type FollowDeps = Pick<Deps, "database" | "cipher" | "clock" | "reportError">;

/** Finds the targets of workspaces where something has changed; returns the number of workspaces. */
export async function followTargets(deps: FollowDeps, signal?: AbortSignal): Promise<number> {
  const stale = await listStaleHealth(deps.database, HEALTH_LIMITS.roundRows);
  for (const workspaceId of stale) {
    if (signal?.aborted === true) break;
    // One that cannot be read must not stop the others.
    await deps.database
      .transaction((tx) => follow(tx, deps, workspaceId))
      .catch((error: unknown) => deps.reportError(error, `the targets of ${workspaceId}`));
  }
  return stale.length;
}

async function follow(tx: Transaction, deps: FollowDeps, workspaceId: string): Promise<void> {
  const [locked] = await lockHealth(tx, [workspaceId]);
  // Another server did it meanwhile.
  if (locked === undefined || !locked.stale) return;
  const fresh: LockedHealth = { ...locked, stale: false };
  await updateHealth(tx, fresh);
  const planned = await readPlanned(tx, deps, workspaceId);
  const known = await listTargets(tx, deps.cipher, workspaceId);
  await replaceTargets(tx, deps, known, planned);
  await judgeWorkspaces(tx, deps, [fresh]);
}

async function readPlanned(tx: Transaction, deps: FollowDeps, workspaceId: string): Promise<PlannedTarget[]> {
  const workspace = await findWorkspace(tx, workspaceId);
  if (workspace === null) return [];
  const [probes = []] = await listProbes(tx, deps.cipher, [workspaceId]);
  const [deployment = null] = await findDeploymentInputs(tx, [workspaceId]);
  const values = await readProbeValues(tx, deps, workspaceId);
  return planTargets(workspace, probes, values, deployment === null ? "NOTHING" : deployedBy(deployment));
}

const keyOf = ({ probe, number }: Pick<TargetKey, "probe" | "number">): string => `${probe}/${number}`;

async function replaceTargets(
  tx: Transaction,
  { cipher, clock }: FollowDeps,
  known: readonly StoredTarget[],
  planned: readonly PlannedTarget[],
): Promise<void> {
  const at = clock().toISOString();
  const before = new Map(known.map((target) => [keyOf(target), target]));
  const wanted = new Set(planned.map(keyOf));
  const touched: Pick<PlannedTarget, "pool" | "shard" | "address">[] = [];
  const gone = known.filter((target) => !wanted.has(keyOf(target)));
  if (gone.length > 0) {
    const ids = gone.map(({ id }) => id);
    await deleteTargets(tx, ids);
    touched.push(...gone);
  }
  for (const target of planned) {
    const old = before.get(keyOf(target));
    if (old === undefined) {
      await insertTarget(tx, cipher, { ...target, ...newStanding(target, null, at) }, at);
      touched.push(target);
    } else if (isChanged(old, target)) {
      // Another address is another target: nothing is known about it.
      const standing = old.address === target.address && target.address !== null ? old : newStanding(target, old, at);
      await updateTarget(tx, cipher, { ...old, ...standing, ...target });
      touched.push(old, target);
    }
  }
  const places = touched.filter(({ address }) => address !== null);
  if (places.length > 0) await touchShards(tx, places, at);
}

function isChanged(old: StoredTarget, target: PlannedTarget): boolean {
  const { weight, pool, shard, address, unresolved, request, intervalMs } = old;
  const facts = { weight, pool, shard, address, unresolved, request, intervalMs };
  const { workspaceId: _workspace, probe: _probe, number: _number, ...wanted } = target;
  // The stored request has gone through JSON.
  return (
    !isDeepStrictEqual({ ...facts, request: null }, { ...wanted, request: null }) ||
    JSON.stringify(request) !== JSON.stringify(wanted.request)
  );
}

function newStanding({ unresolved }: PlannedTarget, old: StoredTarget | null, at: string): TargetStanding {
  const since = old === null ? null : old.status === "UNKNOWN" ? old.since : at;
  const reason = unresolved ?? "It has no result yet.";
  return { state: NEW_TARGET, status: "UNKNOWN", since, reason, absent: false, sampledAt: null, latencyMs: null };
}
