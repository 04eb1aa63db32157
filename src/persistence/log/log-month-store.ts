/**
 * The table of log batches by month (model/log/log-months.ts). No server needs to know whether it is: a statement reaches
 * the parts that its run may be in, and a row goes to its own. Nothing here waits long for a lock, because later
 * sessions would wait behind it.
 */
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import { type LogMonth, type LogMonthsPlan, OPEN_LOG_PART } from "../../model/log/log-months.ts";
import { liftTimeouts } from "../backup/tables.ts";
import type { Database, Reader, Transaction } from "../database/database.ts";

/** The advisory lock of the session that changes the months. */
const ALONE = sql`hashtext('holdpoint log months')`;

/**
 * Runs work that no other session may do meanwhile. `null` if another session does it. Two sessions that closed the open
 * part at once would leave a constraint behind that refuses the logs of later months.
 */
export async function aloneWithLogMonths<T>(database: Database, work: () => Promise<T>): Promise<T | null> {
  return database.sql.connection().execute(async (connection) => {
    const { rows } = await sql<{ alone: boolean }>`select pg_try_advisory_lock(${ALONE}) as alone`.execute(connection);
    if (rows[0]?.alone !== true) return null;
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${ALONE})`.execute(connection);
    }
  });
}

/** Oldest first; null where the table is in one piece. */
export async function listLogMonths(reader: Reader): Promise<LogMonth[] | null> {
  const { rows } = await sql<{ name: string | null; from: string | null; to: string | null }>`
    select c.relname as name,
      (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM [(]'([^']*)'[)]$$))[1] as from,
      (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$TO [(]'([^']*)'[)]$$))[1] as to
    from pg_class p
    left join pg_inherits i on i.inhparent = p.oid
    left join pg_class c on c.oid = i.inhrelid
    where p.relname = 'log_batch' and p.relnamespace = current_schema()::regnamespace and p.relkind = 'p'
    order by 3 nulls last
  `.execute(reader.sql);
  if (rows.length === 0) return null;
  return rows.flatMap(({ name, from, to }) => (name === null ? [] : [{ name, from, to }]));
}

/** The newest run that has a line in the open part, or in the table where it is in one piece. */
export async function newestLoggedRun(reader: Reader, isCut: boolean): Promise<string | null> {
  const table = sql.table(isCut ? OPEN_LOG_PART : "log_batch");
  const { rows } = await sql<{ id: string | null }>`select max(run_id) as id from ${table}`.execute(reader.sql);
  return rows[0]?.id ?? null;
}

/** Drops the bound of a part whose closing was interrupted: from its month on it would refuse all logs. */
export async function dropLeftBound(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.conname = 'log_batch_part' and k.connamespace = current_schema()::regnamespace
  `.execute(database.sql);
  for (const { name } of rows) {
    await whenFree(database, async (tx) => {
      await sql`alter table ${sql.table(name)} drop constraint if exists log_batch_part`.execute(tx.sql);
    });
  }
}

/**
 * Carries out a change of months. The long step, which reads every row of the open part, blocks no other session; the two
 * others are short. An interruption after any of them is safe: the next call starts again.
 */
export async function cutLogMonths(database: Database, plan: LogMonthsPlan): Promise<void> {
  const { closed, months, openFrom } = plan;
  const isCut = closed.from !== null;
  const open = sql.table(isCut ? OPEN_LOG_PART : "log_batch");
  const lower = closed.from === null ? sql`true` : sql`run_id >= ${sql.lit(closed.from)}`;
  await whenFree(database, async (tx) => {
    await sql`alter table ${open} drop constraint if exists log_batch_part`.execute(tx.sql);
    await sql`
      alter table ${open} add constraint log_batch_part check (${lower} and run_id < ${sql.lit(closed.to)}) not valid
    `.execute(tx.sql);
  });
  await database.transaction(async (tx) => {
    await liftTimeouts(tx);
    await sql`alter table ${open} validate constraint log_batch_part`.execute(tx.sql);
  });
  await whenFree(database, async (tx) => {
    await (isCut ? detachOpen(tx, closed.name) : becomePart(tx, closed.name));
    // The constraint proves what attaching would otherwise check row by row.
    await attach(tx, closed);
    await sql`alter table ${sql.table(closed.name)} drop constraint log_batch_part`.execute(tx.sql);
    for (const month of [...months, { name: OPEN_LOG_PART, from: openFrom, to: null }]) await create(tx, month);
  });
}

/** The table as it is becomes the first part of one of the same shape. */
async function becomePart(tx: Transaction, name: string): Promise<void> {
  await sql`alter table log_batch rename to ${sql.table(name)}`.execute(tx.sql);
  await sql`alter index log_batch_pkey rename to ${sql.ref(`${name}_pkey`)}`.execute(tx.sql);
  await sql`
    create table log_batch (
      like ${sql.table(name)} including defaults including storage,
      primary key (run_id, last_line),
      foreign key (run_id) references run
    ) partition by range (run_id)
  `.execute(tx.sql);
}

async function detachOpen(tx: Transaction, name: string): Promise<void> {
  await sql`alter table log_batch detach partition ${sql.table(OPEN_LOG_PART)}`.execute(tx.sql);
  await sql`alter table ${sql.table(OPEN_LOG_PART)} rename to ${sql.table(name)}`.execute(tx.sql);
  await sql`alter index ${sql.ref(`${OPEN_LOG_PART}_pkey`)} rename to ${sql.ref(`${name}_pkey`)}`.execute(tx.sql);
}

function bounds({ from, to }: LogMonth) {
  const lower = from === null ? sql`minvalue` : sql.lit(from);
  const upper = to === null ? sql`maxvalue` : sql.lit(to);
  return sql`for values from (${lower}) to (${upper})`;
}

async function attach(tx: Transaction, month: LogMonth): Promise<void> {
  await sql`alter table log_batch attach partition ${sql.table(month.name)} ${bounds(month)}`.execute(tx.sql);
}

async function create(tx: Transaction, month: LogMonth): Promise<void> {
  await sql`create table ${sql.table(month.name)} partition of log_batch ${bounds(month)}`.execute(tx.sql);
}

/**
 * Runs work in one short transaction with exclusive locks on the tables, `run` first, in the order of all other code. If
 * another session has a lock, it gives up its own and tries again.
 */
async function whenFree(database: Database, work: (tx: Transaction) => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await database.transaction(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LIMITS.logMonthLockMs)}`.execute(tx.sql);
        await sql`lock table run in share row exclusive mode`.execute(tx.sql);
        await sql`lock table log_batch in access exclusive mode`.execute(tx.sql);
        await work(tx);
      });
      return;
    } catch (error) {
      if (tried >= LIMITS.logMonthTries || !isLockTimeout(error)) throw error;
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

function within({ from, to }: LogMonth, column = "h.run_id") {
  return sql`${sql.ref(column)} >= ${from ?? ""} and ${sql.ref(column)} < ${to}`;
}

/** An organization that still keeps logs of a month, and how many. */
export interface LogKeeper {
  slug: string;
  logs: number;
}

/**
 * Counts logs of a month that must stay, by organization: their run is live (perhaps without a line yet), or ended too
 * recently for the organization's retention. The bounds apply to runs too: otherwise Postgres would read all runs.
 */
export async function listLogKeepers(tx: Transaction, month: LogMonth, at: string): Promise<LogKeeper[]> {
  await liftTimeouts(tx);
  const { rows } = await sql<LogKeeper>`
    select o.slug, count(*) as logs
    from log_head h join run r on r.id = h.run_id join organization o on o.id = r.organization_id
    where ${within(month)} and ${within(month, "r.id")} and (r.finished_at is null or h.last_line > 0 and h.expired_at is null
      and (o.log_days is null or r.finished_at >= ${at}::timestamptz(3) - make_interval(days => o.log_days)))
    group by o.slug order by o.slug
  `.execute(tx.sql);
  return rows;
}

/**
 * Marks so many logs of a month as gone at most, behind a run (empty: from the first on), with what retention removes
 * beside them; gives the last run, null where none was left.
 */
export async function expireLogs(
  tx: Transaction,
  month: LogMonth,
  after: string,
  at: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await sql<{ run_id: string }>`
    update log_head set expired_at = ${at} where run_id = any (array(
      select h.run_id from log_head h
      where ${within(month)} and h.run_id > ${after} and h.last_line > 0 and h.expired_at is null
      order by h.run_id limit ${limit} for update
    )) returning run_id
  `.execute(tx.sql);
  const runIds = rows.map(({ run_id: id }) => id).toSorted();
  await sql`
    delete from run_mask m using run r where r.id = any(${runIds}) and m.run_id = r.id and r.kind <> 'PLAN'
  `.execute(tx.sql);
  return runIds.at(-1) ?? null;
}

/** @returns whether it was dropped; not where a log came to be in it meanwhile that is not marked as gone. */
export async function dropLogMonth(database: Database, month: LogMonth): Promise<boolean> {
  let dropped = false;
  await whenFree(database, async (tx) => {
    const { rows } = await sql`
      select 1 from log_head h where ${within(month)} and h.last_line > 0 and h.expired_at is null limit 1
    `.execute(tx.sql);
    dropped = rows.length === 0;
    if (dropped) await sql`drop table ${sql.table(month.name)}`.execute(tx.sql);
  });
  return dropped;
}

/** Bytes on disk of a part, with its index and its compressed bodies. */
export async function logMonthBytes(reader: Reader, { name }: LogMonth): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size(${name}::regclass) as bytes
  `.execute(reader.sql);
  return rows[0]?.bytes ?? 0;
}
