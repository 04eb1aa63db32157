/** Takes the reports of probers: changes of targets, and closed buckets of samples. */
import { figuresOf, unpackSamples } from "../../model/health/bucket.ts";
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import type {
  ClosedBucket,
  HealthReport,
  ProbePool,
  ReportAnswer,
  ReportRefusal,
  TargetChange,
} from "../../model/health/prober-desk.ts";
import { periodOf } from "../../model/health/late-bucket.ts";
import { bucketStartMs, placeOfTarget } from "../../model/health/target-hash.ts";
import { reasonOfTarget, statusOfTarget } from "../../model/health/target-state.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { type BucketKey, insertBuckets, type NewBucket } from "../../persistence/health/bucket-store.ts";
import { addUpAgain, lockRollups } from "../../persistence/health/late-bucket-store.ts";
import { lockHealth } from "../../persistence/health/health-store.ts";
import { listShards, lockProber } from "../../persistence/health/prober-store.ts";
import {
  findReportedTargets,
  findTargetKeys,
  listTargetWorkspaces,
  type ReportedTarget,
  type TargetStanding,
  updateStandings,
} from "../../persistence/health/target-store.ts";
import type { Deps } from "../kit/deps.ts";
import { judgeWorkspaces } from "./judge-workspaces.ts";

type ReportDeps = Pick<Deps, "database" | "clock">;
type Refused = ReportAnswer["refused"][number];
interface Fence {
  shard: number;
  fence: number;
}

/**
 * Takes the report of a prober of a pool. Only shards of which it has the newest lease are written; everything else is refused, entry
 * by entry. A report that is sent twice changes nothing the second time.
 */
export async function reportHealth(deps: ReportDeps, pool: ProbePool, report: HealthReport): Promise<ReportAnswer> {
  return deps.database.transaction(async (tx) => {
    const now = deps.clock();
    const { proberId: id } = report;
    // Its shards cannot become another's before the end of this transaction: that takes this row.
    const isKnown = await lockProber(tx, { id, pool });
    const fences = isKnown ? currentFences(report.shards, await listShards(tx, id)) : [];
    const refused = await takeChanges(tx, deps, { pool, fences, now }, report.changes);
    const buckets = fences.length === 0 ? [] : await toNewBuckets(tx, report.buckets, now);
    const written = buckets.length === 0 ? [] : await insertBuckets(tx, pool, fences, buckets);
    await addLateBuckets(tx, written, now);
    return { at: now.toISOString(), refused, refusedBuckets: report.buckets.length - written.length };
  });
}

/** Returns the shards of a report that are still the prober's, by the newest lease. */
function currentFences(reported: readonly Fence[], current: readonly Fence[]): Fence[] {
  const fences = new Map(current.map(({ shard, fence }) => [shard, fence]));
  const own = reported.filter(({ shard, fence }) => fences.get(shard) === fence);
  return [...new Map(own.map((one) => [one.shard, one])).values()];
}

interface Taking {
  pool: ProbePool;
  fences: readonly Fence[];
  now: Date;
}

async function takeChanges(
  tx: Transaction,
  deps: ReportDeps,
  taking: Taking,
  changes: readonly TargetChange[],
): Promise<Refused[]> {
  // The newest state of a target counts.
  const newest = new Map(
    changes.toSorted((a, b) => a.at.localeCompare(b.at)).map((change) => [change.targetId, change]),
  );
  const ids = [...newest.keys()];
  if (ids.length === 0) return [];
  const workspaceIds = await listTargetWorkspaces(tx, taking.pool, ids);
  if (workspaceIds.length === 0) return ids.map((targetId) => ({ targetId, refusal: "GONE" }));
  const locked = await lockHealth(tx, workspaceIds);
  // Nothing else changes them now.
  const targets = new Map((await findReportedTargets(tx, taking.pool, ids)).map((target) => [target.id, target]));
  const refused: Refused[] = [];
  const taken: (TargetStanding & { id: number })[] = [];
  const judged = new Set<string>();
  for (const [targetId, change] of newest) {
    const target = targets.get(targetId);
    const refusal = target === undefined ? "GONE" : refusalOf(target, change, taking);
    if (target === undefined || refusal !== null) {
      refused.push({ targetId, refusal: refusal ?? "GONE" });
      continue;
    }
    const standing = standingAfter(target, change, taking.now);
    taken.push({ id: targetId, ...standing });
    if (standing.status !== target.status || standing.reason !== target.reason) judged.add(target.workspaceId);
  }
  if (taken.length > 0) await updateStandings(tx, taken);
  await judgeWorkspaces(
    tx,
    deps,
    locked.filter(({ workspaceId }) => judged.has(workspaceId)),
  );
  return refused;
}

function refusalOf(target: ReportedTarget, { at }: TargetChange, { fences, now }: Taking): ReportRefusal | null {
  if (!fences.some(({ shard }) => shard === target.shard)) return "LOST";
  const limit = now.getTime() + HEALTH_LIMITS.aheadMs;
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return "INVALID";
  if (atMs > limit) return "FUTURE";
  if (target.held) return "HELD";
  const knownMs = target.sampledAt === null ? null : Date.parse(target.sampledAt);
  // An instant of the future was written by a clock that has been put back: it must not stop what is reported now.
  return knownMs !== null && knownMs <= limit && atMs <= knownMs ? "STALE" : null;
}

function standingAfter(before: ReportedTarget, { at, state, latencyMs }: TargetChange, now: Date): TargetStanding {
  const status = statusOfTarget(state);
  const reason = reasonOfTarget(state)?.slice(0, HEALTH_LIMITS.reasonLength) ?? null;
  const since = status === before.status ? before.since : now.toISOString();
  return { state, status, since, reason, absent: false, sampledAt: new Date(at).toISOString(), latencyMs };
}

/**
 * Returns the buckets that can be stored, each once: a statement may write a row once. One that does not begin where those of
 * its target do is none: an hour that is added up again would lack it.
 */
async function toNewBuckets(tx: Transaction, reported: readonly ClosedBucket[], now: Date): Promise<NewBucket[]> {
  const buckets = reported.flatMap((bucket) => toNewBucket(bucket, now));
  if (buckets.length === 0) return [];
  const keys = await findTargetKeys(tx, [...new Set(buckets.map(({ targetId }) => targetId))]);
  const offsets = new Map(keys.map((key) => [key.id, placeOfTarget(key).bucketOffsetMs]));
  const aligned = buckets.filter(({ targetId, from }) => {
    const offsetMs = offsets.get(targetId);
    return offsetMs !== undefined && bucketStartMs(Date.parse(from), offsetMs) === Date.parse(from);
  });
  return [...new Map(aligned.map((bucket) => [`${bucket.targetId} ${bucket.from}`, bucket])).values()];
}

/** Returns a bucket to be stored; nothing if it is older than buckets may be, of the future, or has no samples. */
function toNewBucket({ targetId, from, samples }: ClosedBucket, now: Date): NewBucket[] {
  const fromMs = Date.parse(from);
  const ageMs = now.getTime() - fromMs;
  if (!(ageMs >= -HEALTH_LIMITS.aheadMs && ageMs <= HEALTH_LIMITS.oldestBucketMs)) return [];
  const packed = Buffer.from(samples, "base64");
  const unpacked = unpackSamples(packed);
  return unpacked === null ? [] : [{ targetId, from: new Date(fromMs).toISOString(), packed, ...figuresOf(unpacked) }];
}

/** Adds buckets that come late to the hours and days that have been added up already. */
async function addLateBuckets(tx: Transaction, written: readonly BucketKey[], now: Date): Promise<void> {
  const lateMs = HEALTH_LIMITS.lateBucketMs - HEALTH_LIMITS.clocksApartMs;
  const late = written.filter(({ from }) => now.getTime() - Date.parse(from) > lateMs);
  if (late.length === 0) return;
  const doneUntil = await lockRollups(tx);
  for (const unit of ["hour", "day"] as const) {
    const done = doneUntil[unit];
    const periods = late.map((bucket) => periodOf(bucket, unit)).filter(({ at }) => done !== null && at < done);
    if (periods.length > 0) await addUpAgain(tx, unit, periods);
  }
}
