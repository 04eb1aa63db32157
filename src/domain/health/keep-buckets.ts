/** Keeps the samples of targets: partitions for coming days, hours and days from buckets, and the removal of old ones. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import { type RolledUnit, UNIT_MS } from "../../model/health/history.ts";
import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  addBucketDay,
  dropBucketDay,
  listBucketDays,
  removeOtherBuckets,
} from "../../persistence/health/bucket-day-store.ts";
import { removeHoursBefore, rollUp, takeRollup } from "../../persistence/health/bucket-store.ts";
import type { Deps } from "../kit/deps.ts";

type KeepDeps = Pick<Deps, "database" | "clock">;

const HOUR_MS = UNIT_MS.hour;
const DAY_MS = UNIT_MS.day;

/** Makes the partitions of today and the days after it. Without one, buckets go where they are removed row by row. */
async function addBucketDays({ database, clock }: KeepDeps): Promise<void> {
  const known = new Set(await listBucketDays(database));
  for (let ahead = 0; ahead <= HEALTH_LIMITS.daysAhead; ahead++) {
    const day = dayOf(clock().getTime() + ahead * DAY_MS);
    if (!known.has(day)) await addBucketDay(database, day);
  }
}

/** Makes partitions, adds up samples, and removes old ones. */
export async function keepBuckets(deps: KeepDeps, signal?: AbortSignal): Promise<void> {
  await addBucketDays(deps);
  for (const unit of ["hour", "day"] as const) await rollUpAll(deps, unit, signal);
  await removeOld(deps, signal);
}

/** Adds up whole hours or days that have ended so long ago that their last buckets have come. */
async function rollUpAll({ database, clock }: KeepDeps, unit: RolledUnit, signal?: AbortSignal): Promise<void> {
  const lengthMs = UNIT_MS[unit];
  const now = clock().getTime();
  const endMs = now - HEALTH_LIMITS.lateBucketMs - (unit === "day" ? HOUR_MS : 0);
  const first = new Date(floor(now - HEALTH_LIMITS.bucketsKeptMs, lengthMs)).toISOString();
  for (let more = true; more && signal?.aborted !== true; ) {
    more = await database.transaction(async (tx) => {
      const from = await takeRollup(tx, unit, first);
      if (from === null || Date.parse(from) + lengthMs > endMs) return false;
      await rollUp(tx, unit, from, instantAfter(from, lengthMs));
      return true;
    });
  }
}

async function removeOld({ database, clock }: KeepDeps, signal?: AbortSignal): Promise<void> {
  const now = clock().getTime();
  const oldest = now - HEALTH_LIMITS.bucketsKeptMs;
  for (const day of await listBucketDays(database)) {
    if (Date.parse(day) + DAY_MS <= oldest) await dropBucketDay(database, day);
  }
  const removals = [
    [removeOtherBuckets, oldest],
    [removeHoursBefore, now - HEALTH_LIMITS.hoursKeptMs],
  ] as const;
  for (const [remove, beforeMs] of removals) {
    const before = new Date(beforeMs).toISOString();
    for (let removed: number = LIMITS.retentionRows; removed === LIMITS.retentionRows && signal?.aborted !== true; ) {
      removed = await database.transaction((tx) => remove(tx, before, LIMITS.retentionRows));
    }
  }
}

const floor = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
