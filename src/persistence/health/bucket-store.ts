/** Samples of targets by five minutes, hours and days. */
import { sql } from "kysely";
import type { BucketFigures } from "../../model/health/bucket.ts";
import { type HistoryUnit, PART_OF, type RolledUnit } from "../../model/health/history.ts";
import type { ProbePool } from "../../model/health/prober-desk.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** The target of a bucket, and its beginning. */
export interface BucketKey {
  targetId: number;
  from: string;
}

/** A bucket of five minutes. */
export interface NewBucket extends BucketFigures, BucketKey {
  packed: Uint8Array;
}

/**
 * Inserts buckets of targets of shards, of which a prober has the newest lease. One that is there is added to if an earlier prober
 * has written it; a repeated one changes nothing. Returns those that were written.
 */
export async function insertBuckets(
  tx: Transaction,
  pool: ProbePool,
  shards: readonly { shard: number; fence: number }[],
  buckets: readonly NewBucket[],
): Promise<BucketKey[]> {
  const { rows } = await sql<BucketKey>`
    insert into health_bucket as b (bucket_at, target_id, fence, samples, bad, held, median_ms, max_ms, packed)
    select n.bucket_at, n.target_id, s.fence, n.samples, n.bad, n.held, n.median_ms, n.max_ms, n.packed
    from unnest(${buckets.map(({ from }) => from)}::timestamptz[], ${buckets.map(({ targetId }) => targetId)}::int[],
        ${buckets.map(({ samples }) => samples)}::smallint[], ${buckets.map(({ bad }) => bad)}::smallint[],
        ${buckets.map(({ held }) => held)}::smallint[], ${buckets.map(({ medianMs }) => medianMs)}::int[],
        ${buckets.map(({ maxMs }) => maxMs)}::int[], ${buckets.map(({ packed }) => Buffer.from(packed))}::bytea[])
      as n (bucket_at, target_id, samples, bad, held, median_ms, max_ms, packed)
    join probe_target t on t.id = n.target_id and t.pool = ${pool}
    join unnest(${shards.map(({ shard }) => shard)}::smallint[], ${shards.map(({ fence }) => fence)}::int[])
      as s (shard, fence) on s.shard = t.shard
    order by n.bucket_at, n.target_id
    on conflict (bucket_at, target_id) do update set
      fence = excluded.fence, samples = b.samples + excluded.samples, bad = b.bad + excluded.bad,
      held = b.held + excluded.held, max_ms = greatest(b.max_ms, excluded.max_ms), packed = b.packed || excluded.packed,
      median_ms = case when b.samples >= excluded.samples then coalesce(b.median_ms, excluded.median_ms)
        else coalesce(excluded.median_ms, b.median_ms) end
    where b.fence < excluded.fence
    returning b.target_id as "targetId", b.bucket_at as "from"`.execute(tx.sql);
  return rows;
}

/** A bucket of a history. */
export interface HistoryRow {
  from: string;
  samples: number;
  bad: number;
  held: number;
  medianMs: number | null;
  maxMs: number | null;
}

/** Finds the buckets of targets that begin at some instants, in their order; those of several targets are joined. */
export async function listBuckets(
  reader: Reader,
  unit: HistoryUnit,
  targetIds: readonly number[],
  starts: readonly string[],
): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select b.bucket_at as "from", sum(b.samples)::int as samples, sum(b.bad)::int as bad, sum(b.held)::int as held,
      percentile_disc(0.5) within group (order by b.median_ms) as "medianMs", max(b.max_ms) as "maxMs"
    from unnest(${starts}::timestamptz[]) as s (at) cross join unnest(${targetIds}::int[]) as t (id)
    join ${sql.table(`health_${unit}`)} b on b.bucket_at = s.at and b.target_id = t.id
    group by b.bucket_at order by b.bucket_at`.execute(reader.sql);
  return rows;
}

/** A bucket with its samples. */
export type PackedBucket = Pick<NewBucket, keyof BucketKey | "packed">;

/** Finds buckets of targets by their beginnings, in the order of these. */
export async function listPackedBuckets(reader: Reader, wanted: readonly BucketKey[]): Promise<PackedBucket[]> {
  const { rows } = await sql<PackedBucket>`
    select b.target_id as "targetId", b.bucket_at as "from", b.packed
    from unnest(${wanted.map(({ targetId }) => targetId)}::int[], ${wanted.map(({ from }) => from)}::timestamptz[])
      as w (target_id, at)
    join health_bucket b on b.bucket_at = w.at and b.target_id = w.target_id
    order by b.bucket_at`.execute(reader.sql);
  return rows;
}

/**
 * Locks the mark until which samples are in hours or days, for one server at a time. `null`: another one has it. The first mark is
 * the instant given.
 */
export async function takeRollup(tx: Transaction, unit: RolledUnit, first: string): Promise<string | null> {
  await tx.sql
    .insertInto("health_rollup")
    .values({ unit, done_until: first })
    .onConflict((conflict) => conflict.column("unit").doNothing())
    .execute();
  const row = await tx.sql
    .selectFrom("health_rollup")
    .select("done_until")
    .where("unit", "=", unit)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.done_until ?? null;
}

/** The figures of several rows of a target, in the order of the columns of hours and days. */
export const SUMMED = sql`sum(b.samples), sum(b.bad), sum(b.held),
      percentile_disc(0.5) within group (order by b.median_ms), max(b.max_ms)`;

/** Adds up the samples between two instants into rows of an hour or a day, and moves the mark. */
export async function rollUp(tx: Transaction, unit: RolledUnit, from: string, until: string): Promise<void> {
  await sql`
    insert into ${sql.table(`health_${unit}`)} (bucket_at, target_id, samples, bad, held, median_ms, max_ms)
    select ${from}::timestamptz, b.target_id, ${SUMMED}
    from ${sql.table(`health_${PART_OF[unit]}`)} b where b.bucket_at >= ${from} and b.bucket_at < ${until}
    group by b.target_id
    on conflict (bucket_at, target_id) do nothing`.execute(tx.sql);
  await tx.sql.updateTable("health_rollup").set({ done_until: until }).where("unit", "=", unit).execute();
}

/** Removes hours before an instant; returns the number. */
export async function removeHoursBefore(tx: Transaction, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from health_hour where (bucket_at, target_id) in (
      select bucket_at, target_id from health_hour where bucket_at < ${before} limit ${limit}
    )`.execute(tx.sql);
  return Number(numAffectedRows ?? 0n);
}
