/**
 * Removes what organizations no longer keep. A mark for each organization and kind has the position, in the order
 * in which runs ended: no run is read twice, and one index serves all kinds. The server that removes locks its row, so
 * that two servers do not do the same. Everything ended at least a day ago: nothing commits behind a mark.
 */
import { sql } from "kysely";
import type { RetentionKind } from "../../model/workspace/retention.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** An organization with something to remove; all that is older than `before`. */
export interface Due {
  organizationId: string;
  before: string;
}

const DAYS: Record<RetentionKind, string> = { LOGS: "log_days", EVENTS: "event_days", ARCHIVES: "archive_days" };

/** Organizations with a run that ended too long ago, or for EVENTS with an entry in their feed that is too old. */
export async function listDue(reader: Reader, kind: RetentionKind, at: string): Promise<Due[]> {
  const oldFeed = sql`exists (
    select from (select * from feed_entry f where f.organization_id = o.id order by f.position limit 1) f
      left join run_event e on e.run_id = f.run_id and e.version = f.version
      left join workspace_event w on w.id = f.workspace_event_id
      left join changeset_event s on s.id = f.changeset_event_id
      where coalesce(e.at, w.at, s.at) < c.before
  )`;
  const { rows } = await sql<{ organization_id: string; before: string }>`
    select o.id as organization_id, c.before
    from organization o
    cross join lateral (select ${at}::timestamptz(3) - make_interval(days => ${sql.ref(`o.${DAYS[kind]}`)}) as before) c
    left join retention_mark m on m.organization_id = o.id and m.kind = ${kind}
    -- The next run behind the mark by one look into the index; "exists" may be planned as a scan of all runs.
    left join lateral (
      select r.finished_at from run r where r.organization_id = o.id and r.finished_at is not null
        and (r.finished_at, r.id) > (coalesce(m.finished_at, '-infinity'), coalesce(m.run_id, ''))
      order by r.finished_at, r.id limit 1
    ) next on true
    where ${sql.ref(`o.${DAYS[kind]}`)} is not null and (next.finished_at < c.before or ${kind === "EVENTS" ? oldFeed : sql`false`})
    order by o.id
  `.execute(reader.sql);
  return rows.map((row) => ({ organizationId: row.organization_id, before: row.before }));
}

export interface Mark {
  finishedAt: string;
  runId: string;
}

const FIRST: Mark = { finishedAt: "1970-01-01T00:00:00.000Z", runId: "" };

/** Locks the mark until the transaction ends; null where another server has it. */
export async function takeMark(tx: Transaction, organizationId: string, kind: RetentionKind): Promise<Mark | null> {
  await tx.sql
    .insertInto("retention_mark")
    .values({ organization_id: organizationId, kind, finished_at: FIRST.finishedAt, run_id: FIRST.runId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx.sql
    .selectFrom("retention_mark")
    .select(["finished_at", "run_id"])
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : { finishedAt: row.finished_at, runId: row.run_id };
}

export async function moveMark(tx: Transaction, organizationId: string, kind: RetentionKind, to: Mark): Promise<void> {
  await tx.sql
    .updateTable("retention_mark")
    .set({ finished_at: to.finishedAt, run_id: to.runId })
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .execute();
}

/** `planRunId`: whose plan it applied. */
export interface EndedRun extends Mark {
  planRunId: string | null;
}

/** Runs behind a mark that ended before an instant, in that order. */
export async function listEndedRuns(
  tx: Transaction,
  { organizationId, before }: Due,
  after: Mark,
  limit: number,
): Promise<EndedRun[]> {
  const { rows } = await sql<{ id: string; finished_at: string; plan_run_id: string | null }>`
    select id, finished_at, plan_run_id from run
    where organization_id = ${organizationId} and finished_at is not null and finished_at < ${before}
      and (finished_at, id) > (${after.finishedAt}, ${after.runId})
    order by finished_at, id limit ${limit}
  `.execute(tx.sql);
  return rows.map((row) => ({ runId: row.id, finishedAt: row.finished_at, planRunId: row.plan_run_id }));
}

/**
 * Removes so many batches of these logs at most; gives how many, the last time fewer. With them goes what the runs
 * declared as sensitive, but for that of a plan which may still be applied: it goes with the plan's archive.
 */
export async function removeLogs(tx: Transaction, runIds: string[], at: string, limit: number): Promise<number> {
  await tx.sql
    .updateTable("log_head")
    .set({ expired_at: at })
    .where("run_id", "in", runIds)
    .where("last_line", ">", 0)
    .where("expired_at", "is", null)
    .execute();
  await sql`
    delete from run_mask m using run r where r.id = any(${runIds}) and m.run_id = r.id and r.kind <> 'PLAN'
  `.execute(tx.sql);
  const { numAffectedRows } = await sql`
    delete from log_batch where (run_id, last_line) in (
      select run_id, last_line from log_batch where run_id = any(${runIds}) order by run_id, last_line limit ${limit}
    )
  `.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}

/**
 * Removes what happened in these runs, but neither the statuses that they went through nor the decisions of people, which
 * decide whether an approval counts; nor the newest event of each, which the run points to.
 */
export async function removeRunEvents(tx: Transaction, runIds: string[], before: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from run_event e using run r
    where r.id = any(${runIds}) and e.run_id = r.id and e.version <> r.version and e.at < ${before}
      and e.type not in ('STATUS_CHANGED', 'APPROVAL_RECORDED')
  `.execute(tx.sql);
  return Number(numAffectedRows ?? 0);
}

interface FeedRow {
  position: number;
  workspace_event_id: number | null;
  changeset_event_id: number | null;
  old: boolean;
}

/**
 * Removes so many of the oldest entries of a feed at most, as far as they are too old; gives how many. An entry
 * before an old one counts as old as well: a clock that was ahead does not delay the rest.
 */
export async function removeFeed(tx: Transaction, { organizationId, before }: Due, limit: number): Promise<number> {
  const { rows } = await sql<FeedRow>`
    select f.position, f.workspace_event_id, f.changeset_event_id, coalesce(e.at, w.at, s.at, '-infinity') < ${before} as old
    from (
      select * from feed_entry where organization_id = ${organizationId} order by position limit ${limit}
    ) f
    left join run_event e on e.run_id = f.run_id and e.version = f.version
    left join workspace_event w on w.id = f.workspace_event_id
    left join changeset_event s on s.id = f.changeset_event_id
    order by f.position
  `.execute(tx.sql);
  const gone = rows.slice(0, rows.findLastIndex(({ old }) => old) + 1);
  const last = gone.at(-1);
  if (last === undefined) return 0;
  await tx.sql
    .deleteFrom("feed_entry")
    .where("organization_id", "=", organizationId)
    .where("position", "<=", last.position)
    .execute();
  const events = gone.flatMap((row) => (row.workspace_event_id === null ? [] : [row.workspace_event_id]));
  if (events.length > 0) await tx.sql.deleteFrom("workspace_event").where("id", "in", events).execute();
  const changes = gone.flatMap((row) => (row.changeset_event_id === null ? [] : [row.changeset_event_id]));
  if (changes.length > 0) await tx.sql.deleteFrom("changeset_event").where("id", "in", changes).execute();
  return gone.length;
}

/** Since when the log of each run is no longer kept; null: it is, or it never had a line. */
export async function findLogExpiries(reader: Reader, runIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await reader.sql
    .selectFrom("log_head")
    .select(["run_id", "expired_at"])
    .where("run_id", "in", runIds)
    .where("expired_at", "is not", null)
    .execute();
  return inOrder(runIds, rows, (row) => row.run_id).map((row) => row?.expired_at ?? null);
}
