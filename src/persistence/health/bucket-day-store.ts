/** The partitions of buckets: one for each day, and one for days without their own. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Database, Reader, Transaction } from "../database/database.ts";

const OTHER = "health_bucket_other";
const PREFIX = "health_bucket_d";
/** The advisory lock of the transaction that adds or drops days. */
const ALONE = sql`hashtext('holdpoint health days')`;

/** Lists the days that have a partition, as `2026-01-31`, oldest first. */
export async function listBucketDays(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i
    join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    where p.relname = 'health_bucket' and p.relnamespace = current_schema()::regnamespace
    order by c.relname`.execute(reader.sql);
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /^health_bucket_d(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    return year === undefined ? [] : [`${year}-${month}-${day}`];
  });
}

const nameOf = (day: string): string => `${PREFIX}${day.replaceAll("-", "")}`;
const dayAfter = (day: string): string => instantAfter(day, 24 * 3_600_000).slice(0, 10);

/**
 * Makes the partition of a day. False: there are buckets of that day already, which stay where they are, or another server
 * makes it.
 */
export async function addBucketDay(database: Database, day: string): Promise<boolean> {
  return attempt(database, async (tx) => {
    const table = sql.table(nameOf(day));
    // No vacuum: the day is dropped as a whole, and a vacuum would write each of its pages into the WAL once more.
    // That is also no analyze: rows are found by their primary key, also where the planner assumes a wrong number of them.
    await sql`
      create table if not exists ${table} (like health_bucket including defaults including constraints)
      with (autovacuum_enabled = off)`.execute(tx.sql);
    await sql`
      alter table health_bucket attach partition ${table}
      for values from (${sql.lit(`${day} 00:00:00+00`)}) to (${sql.lit(`${dayAfter(day)} 00:00:00+00`)})`.execute(
      tx.sql,
    );
  });
}

/** Drops the partition of a day. False: someone reads it at the moment. */
export async function dropBucketDay(database: Database, day: string): Promise<boolean> {
  return attempt(database, async (tx) => {
    await sql`drop table if exists ${sql.table(nameOf(day))}`.execute(tx.sql);
  });
}

/** Removes buckets before an instant from the partition of other days; returns the number. */
export async function removeOtherBuckets(tx: Transaction, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(OTHER)} where (bucket_at, target_id) in (
      select bucket_at, target_id from ${sql.table(OTHER)} where bucket_at < ${before} limit ${limit}
    )`.execute(tx.sql);
  return Number(numAffectedRows ?? 0n);
}

/** Changes partitions in a short transaction that waits for no reader for long: others would wait behind it. */
async function attempt(database: Database, work: (tx: Transaction) => Promise<void>): Promise<boolean> {
  try {
    return await database.transaction(async (tx) => {
      const { rows } = await sql<{ alone: boolean }>`select pg_try_advisory_xact_lock(${ALONE}) as alone`.execute(
        tx.sql,
      );
      if (rows[0]?.alone !== true) return false;
      await sql`set local lock_timeout = ${sql.lit(LIMITS.logMonthLockMs)}`.execute(tx.sql);
      await work(tx);
      return true;
    });
  } catch (error) {
    // lock_not_available; check_violation: the partition of other days has rows of this one.
    if (error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "23514")) return false;
    throw error;
  }
}
