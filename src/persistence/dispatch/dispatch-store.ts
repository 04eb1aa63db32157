/** The small table that runners claim from: what is eligible now, with one row a workspace and lane. */
import { type RawBuilder, sql } from "kysely";
import type { Reader, Transaction } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";
import { asksNothing, isReachable, mayBeHeldBack, type RunnerReach, takesRow } from "./runner-match.ts";

export interface DispatchRow {
  runId: string;
  organizationId: string;
  workspaceId: string;
  /** The order of classes, from 0. */
  class: number;
  priority: number;
  since: string;
  /** The pool that the run needs. */
  poolId: string | null;
  labels: readonly string[];
}

/**
 * Puts a run at the end of its class and priority: that is the round robin over workspaces. Runners that
 * were not seen after `seenSince` count as absent.
 */
export async function enterDispatch(tx: Transaction, row: DispatchRow, seenSince: string): Promise<void> {
  const { labels, ...columns } = row;
  const enter = asksNothing(row) ? enterPlain : enterChoosy;
  await enter(tx, { ...columns, labels: [...labels], seenSince });
  offerPlaces(tx, row.organizationId);
}

const enterPlain = prepared((_db, slot: Slot<NewDispatchRow>) => insertion(slot, sql`true`));
const enterChoosy = prepared((_db, slot: Slot<NewDispatchRow>) => {
  const wishes = { organizationId: slot("organizationId"), poolId: slot("poolId"), labels: slot("labels") };
  return insertion(slot, isReachable(wishes, slot("seenSince")));
});

type NewDispatchRow = Omit<DispatchRow, "labels"> & { labels: string[]; seenSince: string };

function insertion(slot: Slot<NewDispatchRow>, reachable: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`insert into dispatch
      (run_id, organization_id, workspace_id, class, priority, since, pool_id, labels, reachable)
    values (${slot("runId")}, ${slot("organizationId")}, ${slot("workspaceId")}, ${slot("class")}, ${slot("priority")},
      ${slot("since")}, ${slot("poolId")}, ${slot("labels")}, ${reachable})`;
}

export async function leaveDispatch(tx: Transaction, organizationId: string, runId: string): Promise<void> {
  await tx.sql.deleteFrom("dispatch").where("run_id", "=", runId).execute();
  offerPlaces(tx, organizationId);
}

/** Assigns free slots of the organization at the end of the transaction, and wakes runners if there were any. */
export function offerPlaces(tx: Transaction, organizationId: string): void {
  tx.beforeCommit(`offer:${organizationId}`, async () => {
    const rows = await offer(tx, { organizationId });
    if (rows.some(({ given }) => given)) tx.announce("work");
  });
}

const offer = prepared((_db, slot: Slot<{ organizationId: string }>) => {
  return sql<{ given: boolean }>`select dispatch_offer(${slot("organizationId")}) as given`;
});

/**
 * Lists organizations with a free slot that a run waits for, or with more slots in use than they have. It runs every few
 * seconds, so it reads the first waiting run of each organization by the index, and no other.
 */
export async function listOrganizationsOffPlace(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from organization o
    cross join lateral (select count(*) as offered, count(*) filter (where not reachable) as lost
      from dispatch where organization_id = o.id and offered) d
    cross join lateral (select count(*) as busy from job where job.organization_id = o.id and job.ended_at is null) j
    left join lateral (select true as waits from dispatch
      where organization_id = o.id and not offered and reachable limit 1) w on true
    where busy + offered < concurrency_limit and waits or busy + offered > concurrency_limit and offered > 0 or lost > 0
  `.execute(reader.sql);
  return rows.map((row) => row.id);
}

/**
 * Whether a claim may get something. YES: a run that the runner may take has a place, or the claim was answered before.
 * MAYBE: runs that it may not take have places. Every claim asks it first: where runners do not differ, any run that has a
 * place decides it. The first, because the index of those is in this order: without it a plan may be kept
 * that reads the table from its beginning.
 */
export async function isWorkFor(reader: Reader, claimId: string, runner: RunnerReach): Promise<"YES" | "MAYBE" | "NO"> {
  const { rows } = await sql<{ answered: boolean; takes: boolean | null }>`
    select exists (select from job where claim_id = ${claimId}) as answered,
      (select coalesce(${takesRow(runner, "d")}, false) from dispatch d
        where d.offered order by d.class, d.priority desc, d.turn limit 1) as takes
  `.execute(reader.sql);
  const [row] = rows;
  if (row?.answered === true || row?.takes === true) return "YES";
  return row?.takes === false ? isWorkAmongOthers(reader, runner) : "NO";
}

async function isWorkAmongOthers(reader: Reader, runner: RunnerReach): Promise<"YES" | "MAYBE" | "NO"> {
  const { rows } = await sql<{ found: "YES" | "MAYBE" | "NO" }>`
    select case when exists (select from dispatch d where d.offered and ${takesRow(runner, "d")}) then 'YES'
      when exists (select from dispatch o where o.offered and ${mayBeHeldBack(runner, "o")}) then 'MAYBE'
      else 'NO' end as found
  `.execute(reader.sql);
  return rows[0]?.found ?? "NO";
}

export type OfferedRun = Pick<DispatchRow, "runId" | "workspaceId">;

/** Locks the first run for this runner that has a slot and that no other claim has locked. */
export async function lockFirstOffered(
  tx: Transaction,
  runner: RunnerReach,
  except: readonly string[],
): Promise<OfferedRun | null> {
  const row = await tx.sql
    .selectFrom("dispatch")
    .select(["run_id", "workspace_id"])
    .where("offered", "=", sql.lit(true))
    .where(takesRow(runner, "dispatch"))
    // One text for any number of them, with a parameter in any case: without one it would not be prepared.
    .where(sql<boolean>`run_id <> all(${except})`)
    .orderBy("class")
    .orderBy("priority", "desc")
    .orderBy("turn")
    .limit(sql.lit(1))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : { runId: row.run_id, workspaceId: row.workspace_id };
}

/** Selects the rows of the runner and its pool, if neither was barred or changed since the runner asked for work. */
function unbarred({ id, pool }: RunnerReach & { id: string }): RawBuilder<unknown> {
  const free = sql`r.id = ${id} and r.revoked_at is null and r.drain_requested_at is null`;
  if (pool === null) return sql`select r.id from runner r where ${free}`;
  return sql`select r.id from runner r join runner_pool p on p.id = r.pool_id
    where ${free} and p.deleted_at is null and p.reserved = ${pool.reserved}`;
}

/**
 * Removes a run for its claim. Returns whether it had a slot and the runner may have it; the slot passes to the claim.
 * Until the end of the transaction the runner cannot be revoked or drained, nor its pool be deleted or reserved.
 */
export async function takeOffered(
  tx: Transaction,
  runner: RunnerReach & { id: string },
  runId: string,
): Promise<boolean> {
  const { rows } = await sql`
    with held as materialized (${unbarred(runner)} for share)
    delete from dispatch d using held where d.run_id = ${runId} and d.offered and ${takesRow(runner, "d")}
    returning d.run_id
  `.execute(tx.sql);
  return rows.length > 0;
}

/** Returns whether the runner may not work, or may no longer take what it could when it asked. */
export async function isBarred(reader: Reader, runner: RunnerReach & { id: string }): Promise<boolean> {
  const { rows } = await unbarred(runner).execute(reader.sql);
  return rows.length === 0;
}
