import { unpackSamples } from "../../model/health/bucket.ts";
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import { type HealthBucket, planHistory, UNIT_MS } from "../../model/health/history.ts";
import { NO_HEALTH, type WorkspaceHealth } from "../../model/health/runtime-health.ts";
import { bucketStartMs, placeOfTarget } from "../../model/health/target-hash.ts";
import { instantAfter } from "../../model/kit/instant-after.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { grouped } from "../../persistence/database/group.ts";
import { listBuckets, listPackedBuckets } from "../../persistence/health/bucket-store.ts";
import { findHealth } from "../../persistence/health/health-store.ts";
import { listShownTargets, type ShownTarget } from "../../persistence/health/target-store.ts";
import { queryLists } from "../access/query.ts";
import { batched, type Reads } from "../access/reads.ts";
import { permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";

/** The buckets of a probe, or a problem with the bounds of the history. */
export type HealthHistory =
  | { buckets: readonly HealthBucket[]; problem: null }
  | { buckets: readonly []; problem: { field: "from" | "to"; message: string } };

const NOTHING: HealthHistory = { buckets: [], problem: null };

/** Creates the queries of runtime health. */
export function createHealthQueries({ database, clock }: Pick<Deps, "database" | "clock">, reads: Reads) {
  const ofWorkspaces = reads.below(reads.workspaces, batched(database, findHealth));
  const targets = reads.below(
    reads.workspaces,
    batched(database, (reader, ids) => listTargetsWithSamples(reader, ids, clock())),
  );
  return {
    /** Returns the health of workspaces. */
    workspaceHealths: async (caller: ActorCaller, ids: readonly string[]): Promise<WorkspaceHealth[]> =>
      permitOrNull(caller, "WORKSPACE_READ", await ofWorkspaces(ids)).map((health) => health ?? NO_HEALTH),
    /** Returns the targets of the probes of workspaces, in the order of the probes. */
    healthTargets: queryLists("WORKSPACE_READ", targets),
    /** Returns the samples of a probe between two instants, oldest first. */
    healthHistory: async (
      caller: ActorCaller,
      workspaceId: string,
      { probe, from, to }: { probe: string; from: string; to: string },
    ): Promise<HealthHistory> => {
      const { bucketOffsetMs } = placeOfTarget({ workspaceId, probe, number: 0 });
      const planned = planHistory(Date.parse(from), Date.parse(to), clock().getTime(), bucketOffsetMs);
      if (planned.problem !== null) return { buckets: [], problem: planned.problem };
      const { unit, starts } = planned;
      const [found = null] = await targets([workspaceId]);
      const ids = (found?.permit(caller, "WORKSPACE_READ") ?? [])
        .filter((one) => one.probe === probe)
        .map(({ id }) => id);
      if (ids.length === 0 || starts.length === 0 || !isStorable(probe)) return NOTHING;
      const rows = await listBuckets(database, unit, ids, starts);
      return { buckets: rows.map((row) => ({ ...row, seconds: UNIT_MS[unit] / 1000 })), problem: null };
    },
  };
}

/**
 * Lists the targets of each workspace. The newest sample of one that does not change is in its newest bucket, which began in the
 * last minutes.
 */
async function listTargetsWithSamples(
  reader: Reader,
  workspaceIds: readonly string[],
  now: Date,
): Promise<ShownTarget[][]> {
  const targets = await listShownTargets(reader, workspaceIds);
  const wanted = targets.flatMap((target) => startsOf(target, now).map((from) => ({ targetId: target.id, from })));
  const buckets = wanted.length === 0 ? [] : await listPackedBuckets(reader, wanted);
  const newest = new Map(buckets.map((bucket) => [bucket.targetId, bucket]));
  const shown = targets.map((target) => {
    const bucket = newest.get(target.id);
    const sample = bucket === undefined ? undefined : unpackSamples(bucket.packed)?.at(-1);
    if (bucket === undefined || sample === undefined) return target;
    const sampledAt = instantAfter(bucket.from, sample.second * 1000);
    if (target.sampledAt !== null && target.sampledAt >= sampledAt) return target;
    return { ...target, sampledAt, latencyMs: sample.latencyMs };
  });
  return grouped(workspaceIds, shown, ({ workspaceId }) => workspaceId);
}

/** The beginnings of the buckets of the last quarter of an hour, oldest first. */
function startsOf(target: ShownTarget, now: Date): string[] {
  const { bucketOffsetMs } = placeOfTarget(target);
  const { bucketMs } = HEALTH_LIMITS;
  const start = bucketStartMs(now.getTime(), bucketOffsetMs);
  return [2, 1, 0].map((before) => new Date(start - before * bucketMs).toISOString());
}
