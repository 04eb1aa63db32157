import { NEW_TARGET } from "../../../src/model/health/target-state.ts";
import * as days from "../../../src/persistence/health/bucket-day-store.ts";
import * as buckets from "../../../src/persistence/health/bucket-store.ts";
import * as lateBuckets from "../../../src/persistence/health/late-bucket-store.ts";
import * as health from "../../../src/persistence/health/health-store.ts";
import * as probers from "../../../src/persistence/health/prober-store.ts";
import * as targets from "../../../src/persistence/health/target-store.ts";
import { exampleStore, LATER, type World } from "./world.ts";

const prober = { id: "prober", pool: "public" };
const STANDING = {
  state: NEW_TARGET,
  status: "UNKNOWN",
  since: null,
  reason: null,
  absent: false,
  sampledAt: null,
  latencyMs: null,
} as const;

function targetOf({ workspace }: World): targets.StoredTarget {
  const request = { kind: "TCP", host: "db.test", port: 5432, body: null, timeoutMs: 5000 } as const;
  const expect = { statuses: [], bodyContains: null, expression: null, maxLatencyMs: null, certificateDays: null };
  return {
    id: 1,
    workspaceId: workspace.id,
    probe: "db",
    number: 0,
    weight: "REQUIRED",
    pool: "public",
    shard: 7,
    address: "db.test:5432",
    unresolved: null,
    request: { ...request, expect },
    intervalMs: 30_000,
    ...STANDING,
  };
}

export const HEALTH_STORES = {
  "prober-store": exampleStore(probers, ({ tx, at }) => ({
    renewProber: () => probers.renewProber(tx, { ...prober, runnerId: null, until: LATER, busy: false }),
    lockProber: () => probers.lockProber(tx, prober),
    touchShards: () => probers.touchShards(tx, [{ pool: "public", shard: 7 }], at),
    countShards: () => probers.countShards(tx, "public", "prober"),
    claimShards: () => probers.claimShards(tx, prober, 8),
    listShards: () => probers.listShards(tx, "prober"),
    leaveShards: () => probers.leaveShards(tx, prober, [7], at),
    freeShards: () => probers.freeShards(tx, at, "public"),
    "freeShards: of all pools": () => probers.freeShards(tx, at, null),
    holdRunner: () => probers.holdRunner(tx, "rnr_1"),
    "removeProbers: of a runner": () => probers.removeProbers(tx, { runnerId: "rnr_1" }, at),
    removeProbers: () => probers.removeProbers(tx, prober, at),
  })),
  "target-store": exampleStore(targets, (world) => {
    const { tx, cipher, at, workspace } = world;
    const target = targetOf(world);
    return {
      insertTarget: () => targets.insertTarget(tx, cipher, target, at),
      updateTarget: () => targets.updateTarget(tx, cipher, target),
      listTargets: () => targets.listTargets(tx, cipher, workspace.id),
      listTargetsOfShards: () => targets.listTargetsOfShards(tx, cipher, "public", [7]),
      findTargetKeys: () => targets.findTargetKeys(tx, [1]),
      listTargetWorkspaces: () => targets.listTargetWorkspaces(tx, "public", [1]),
      findReportedTargets: () => targets.findReportedTargets(tx, "public", [1]),
      updateStandings: () => targets.updateStandings(tx, [{ id: 1, ...STANDING }]),
      listHeldTargets: () => targets.listHeldTargets(tx, "prober"),
      listAbsentTargets: () => targets.listAbsentTargets(tx, LATER, 100),
      markAbsent: () => targets.markAbsent(tx, [1], { at, reason: "x" }),
      listShownTargets: () => targets.listShownTargets(tx, [workspace.id]),
      deleteTargets: () => targets.deleteTargets(tx, [1]),
    };
  }),
  "health-store": exampleStore(health, ({ tx, at, workspace }) => ({
    lockHealth: () => health.lockHealth(tx, [workspace.id]),
    updateHealth: () =>
      health.updateHealth(tx, {
        workspaceId: workspace.id,
        health: "HEALTHY",
        since: at,
        reason: null,
        stale: false,
        announced: "UNKNOWN",
        announceAt: LATER,
      }),
    listStaleHealth: () => health.listStaleHealth(tx, 100),
    listHealthAnnouncements: () => health.listHealthAnnouncements(tx, at, 100),
    findHealth: () => health.findHealth(tx, [workspace.id]),
  })),
  "bucket-store": exampleStore(buckets, ({ tx, at }) => {
    const figures = { samples: 1, bad: 0, held: 0, medianMs: 3, maxMs: 3 };
    const bucket = { targetId: 1, from: at, packed: new Uint8Array(4), ...figures };
    return {
      insertBuckets: () => buckets.insertBuckets(tx, "public", [{ shard: 7, fence: 1 }], [bucket]),
      listBuckets: () => buckets.listBuckets(tx, "bucket", [1], [at]),
      "listBuckets: by hours": () => buckets.listBuckets(tx, "hour", [1], [at]),
      listPackedBuckets: () => buckets.listPackedBuckets(tx, [bucket]),
      takeRollup: () => buckets.takeRollup(tx, "hour", at),
      rollUp: () => buckets.rollUp(tx, "hour", at, LATER),
      "rollUp: days": () => buckets.rollUp(tx, "day", at, LATER),
      removeHoursBefore: () => buckets.removeHoursBefore(tx, at, 100),
    };
  }),
  "late-bucket-store": exampleStore(lateBuckets, ({ tx, at }) => ({
    lockRollups: () => lateBuckets.lockRollups(tx),
    addUpAgain: () => lateBuckets.addUpAgain(tx, "hour", [{ targetId: 1, at, first: at }]),
    "addUpAgain: days": () => lateBuckets.addUpAgain(tx, "day", [{ targetId: 1, at, first: at }]),
  })),
};

/** Changes partitions, outside of the examples' transaction. */
export const HEALTH_DAY_STORES = {
  "bucket-day-store": exampleStore(days, ({ tx, database, at }) => ({
    addBucketDay: () => days.addBucketDay(database, "2026-01-04"),
    listBucketDays: () => days.listBucketDays(database),
    dropBucketDay: () => days.dropBucketDay(database, "2026-01-04"),
    removeOtherBuckets: () => days.removeOtherBuckets(tx, at, 100),
  })),
};
