/** The small table that runners claim from: what is eligible now, with one row a workspace and lane. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Judge } from "../../model/policy/judge.ts";
import type { Organization, Workspace } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { type Prepared, prepared, preparedBy, type Slot } from "../database/prepared.ts";
import type { Tables } from "../database/tables.ts";
import { toRules } from "../organization/rules-columns.ts";
import { hasProbesOfWorkspace, type JudgeRows, judgesOfWorkspace, toJudges } from "../policy/judge-store.ts";
import { toWorkspace } from "../workspace/workspace-store.ts";
import { hasWaitingRun } from "../run/drift-limit.ts";
import {
  requiresNothing,
  isReachable,
  mayBeUnable,
  type ReachArguments,
  reachArguments,
  reachShape,
  reachSlots,
  type RunnerProfile,
  takesRow,
} from "../run/runner-match.ts";

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
  /** The runs with one key share a place in the order, one after the other; `null`: the run has a place of its own. */
  fairKey: string | null;
}

/**
 * Puts a run at the end of its class and priority: that is the round robin over workspaces. The runs of one key are placed
 * between those of others, one at a time. Runners that were not seen after `seenSince` count as absent.
 */
export async function enterDispatch(tx: Transaction, row: DispatchRow, seenSince: string): Promise<void> {
  const { labels, ...columns } = row;
  const enter = entryOf(requiresNothing(row), row.fairKey !== null);
  await enter(tx, { ...columns, labels: [...labels], seenSince });
  offerSlots(tx, row.organizationId);
}

const entryOf = preparedBy(
  (isPlain: boolean, isShared: boolean) => `${isPlain} ${isShared}`,
  (isPlain, isShared) =>
    prepared((_db, slot: Slot<NewDispatchRow>) => {
      const wishes = { organizationId: slot("organizationId"), poolId: slot("poolId"), labels: slot("labels") };
      const reachable = isPlain ? sql<boolean>`true` : isReachable(wishes, slot("seenSince"));
      return insertion(slot, reachable, isShared ? sharedTurn(slot) : ownTurn(slot));
    }),
);

/** The virtual time of the first run that waits. A run that arrives is not put before it. */
function firstTime(slot: Slot<NewDispatchRow>): RawBuilder<number> {
  return sql<number>`coalesce((select turn >> 20 from dispatch
      where organization_id = ${slot("organizationId")} and not offered and reachable
        and class = ${slot("class")}::smallint and priority = ${slot("priority")}::int
      order by class, priority desc, turn limit 1), 0)`;
}

function ownTurn(slot: Slot<NewDispatchRow>): RawBuilder<number> {
  return sql<number>`(select greatest(n, ${firstTime(slot)}) << 20 | (n & 1048575) from nextval('dispatch_turn') n)`;
}

/** One behind the last run of the key, if one still waits. */
function sharedTurn(slot: Slot<NewDispatchRow>): RawBuilder<number> {
  return sql<number>`coalesce((select greatest((max(turn) >> 20) + 1, ${firstTime(slot)}) << 20 from dispatch
      where fair_key = ${slot("fairKey")} and class = ${slot("class")}::smallint and priority = ${slot("priority")}::int
      having max(turn) is not null), ${ownTurn(slot)})`;
}

type NewDispatchRow = Omit<DispatchRow, "labels"> & { labels: string[]; seenSince: string };

function insertion(
  slot: Slot<NewDispatchRow>,
  reachable: RawBuilder<boolean>,
  turn: RawBuilder<number>,
): RawBuilder<unknown> {
  return sql`insert into dispatch
      (run_id, organization_id, workspace_id, class, priority, since, pool_id, labels, reachable, turn, fair_key)
    values (${slot("runId")}, ${slot("organizationId")}, ${slot("workspaceId")}, ${slot("class")}, ${slot("priority")},
      ${slot("since")}, ${slot("poolId")}, ${slot("labels")}, ${reachable}, ${turn}, ${slot("fairKey")})`;
}

export async function leaveDispatch(tx: Transaction, organizationId: string, runId: string): Promise<void> {
  await tx.sql.deleteFrom("dispatch").where("run_id", "=", runId).execute();
  offerSlots(tx, organizationId);
}

/** Assigns free slots of the organization at the end of the transaction, and wakes runners if there were any. */
export function offerSlots(tx: Transaction, organizationId: string): void {
  tx.beforeCommit(`offer:${organizationId}`, async () => {
    const rows = await offer(tx, { organizationId });
    if (rows.some(({ given }) => given)) tx.announce("work");
  });
}

const offer = prepared((_db, slot: Slot<{ organizationId: string }>) => {
  return sql<{ given: boolean }>`select dispatch_offer(${slot("organizationId")}) as given`;
});

/**
 * Lists organizations with a free slot that a run waits for and may have, or with more slots in use than they have. It runs every few
 * seconds, so it reads the first waiting runs of each organization by the index, and no others.
 */
export async function listOrganizationsToOffer(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from organization o
    cross join lateral (select count(*) as offered, count(*) filter (where not reachable) as lost
      from dispatch where organization_id = o.id and offered) d
    cross join lateral (select count(*) as busy from job where job.organization_id = o.id and job.ended_at is null) j
    where busy + offered < concurrency_limit and ${hasWaitingRun("o")} or busy + offered > concurrency_limit and offered > 0 or lost > 0
  `.execute(reader.sql);
  return rows.map((row) => row.id);
}

type WorkArguments = ReachArguments & { claimId: string };
interface WorkRow {
  answered: boolean;
  takes: boolean | null;
}
const workQueryOf = preparedBy(reachShape, prepareWorkQuery);

function prepareWorkQuery(runner: RunnerProfile): Prepared<WorkArguments, WorkRow> {
  return prepared((_db, slot: Slot<WorkArguments>) => {
    return sql<WorkRow>`
      select exists (select from job where claim_id = ${slot("claimId")}) as answered,
        (select coalesce(${takesRow(reachSlots(runner, slot), "d")}, false) from dispatch d
          where d.offered order by d.class, d.priority desc, d.turn limit 1) as takes`;
  });
}

/**
 * Whether a claim may get something. ANSWERED: it has got its job before. YES: a run that the runner may take has a place.
 * MAYBE: runs that it may not take have places. Every claim asks it first: where runners do not differ, any run that has a
 * place decides it. The first, because the index of those is in this order: without it a plan may be kept
 * that reads the table from its beginning.
 */
export async function isWorkFor(
  reader: Reader,
  claimId: string,
  runner: RunnerProfile,
): Promise<"ANSWERED" | "YES" | "MAYBE" | "NO"> {
  const [row] = await workQueryOf(runner)(reader, { claimId, ...reachArguments(runner) });
  if (row?.answered === true) return "ANSWERED";
  if (row?.takes === true) return "YES";
  return row?.takes === false ? isWorkAmongOthers(reader, runner) : "NO";
}

async function isWorkAmongOthers(reader: Reader, runner: RunnerProfile): Promise<"YES" | "MAYBE" | "NO"> {
  const { rows } = await sql<{ found: "YES" | "MAYBE" | "NO" }>`
    select case when exists (select from dispatch d where d.offered and ${takesRow(runner, "d")}) then 'YES'
      when exists (select from dispatch o where o.offered and ${mayBeUnable(runner, "o")}) then 'MAYBE'
      else 'NO' end as found
  `.execute(reader.sql);
  return rows[0]?.found ?? "NO";
}

export type OfferedRun = Pick<DispatchRow, "runId" | "workspaceId" | "organizationId">;

/** An offered run that was taken out of the table, with its workspace. The rows of both are locked. */
export interface TakenRun {
  runId: string;
  workspace: Workspace;
  organization: Pick<Organization, "slug" | "rules">;
  judges: readonly Judge[];
  /** Whether the workspace has probes that are sent after an apply. */
  hasProbes: boolean;
}

type TakeArguments = ReachArguments & { claimId: string; runnerId: string; except: readonly string[] };
type TakenRow = Selectable<Tables["workspace"]> & {
  run_id: string;
  judges: JudgeRows;
  has_probes: boolean;
  organization_slug: string;
  organization_limits: Selectable<Tables["organization"]>["limits"];
  organization_approval_rules: Selectable<Tables["organization"]>["approval_rules"];
  organization_freeze_windows: Selectable<Tables["organization"]>["freeze_windows"];
};
const takeOf = preparedBy(reachShape, prepareTake);

function prepareTake(runner: RunnerProfile): Prepared<TakeArguments, TakenRow> {
  return prepared((_db, slot: Slot<TakeArguments>) => {
    return sql<TakenRow>`
      with held as materialized (
        ${unbarred({ id: slot("runnerId"), pool: runner.pool })} for share
      ), claim as materialized (
        select pg_advisory_xact_lock(hashtextextended(${slot("claimId")}, 0))
      ), first as materialized (
        select d.run_id, w.*, o.slug as organization_slug, o.limits as organization_limits,
          o.approval_rules as organization_approval_rules, o.freeze_windows as organization_freeze_windows,
          ${judgesOfWorkspace()} as judges, ${hasProbesOfWorkspace()} as has_probes
        from dispatch d join workspace w on w.id = d.workspace_id join organization o on o.id = w.organization_id
          join run on run.id = d.run_id
        where d.offered = true and ${takesRow(reachSlots(runner, slot), "d")} and d.run_id <> all(${slot("except")})
          and w.deleted_at is null and exists (select from held) and exists (select from claim)
        order by d.class, d.priority desc, d.turn limit 1
        for update of d skip locked for no key update of w skip locked for no key update of run skip locked
      ), taken as (
        delete from dispatch d using first where d.run_id = first.run_id
      )
      select * from first`;
  });
}

/**
 * Takes the first offered run for this runner out of the table for its claim, and passes over those that are locked, or
 * whose workspace is: it waits for no row. Its place goes over to the claim. `null` if the runner can take none at once.
 *
 * Until the end of the transaction no one revokes or drains the runner, deletes or reserves its pool, or uses the claim.
 */
export async function takeFirstOffered(
  tx: Transaction,
  claimId: string,
  runner: RunnerProfile & { id: string },
  except: readonly string[],
): Promise<TakenRun | null> {
  const [row] = await takeOf(runner)(tx, { claimId, runnerId: runner.id, except, ...reachArguments(runner) });
  if (row === undefined) return null;
  const rules = toRules({
    limits: row.organization_limits,
    approval_rules: row.organization_approval_rules,
    freeze_windows: row.organization_freeze_windows,
  });
  return {
    runId: row.run_id,
    workspace: toWorkspace(row),
    organization: { slug: row.organization_slug, rules },
    judges: toJudges(row.judges),
    hasProbes: row.has_probes,
  };
}

/** Locks the first run for this runner that has a slot and that no other claim has locked. */
export async function lockFirstOffered(
  tx: Transaction,
  runner: RunnerProfile,
  except: readonly string[],
): Promise<OfferedRun | null> {
  const row = await tx.sql
    .selectFrom("dispatch")
    .select(["run_id", "workspace_id", "organization_id"])
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
  if (row === undefined) return null;
  return { runId: row.run_id, workspaceId: row.workspace_id, organizationId: row.organization_id };
}

/** Selects the rows of the runner and its pool, if neither was barred or changed since the runner asked for work. */
function unbarred({
  id,
  pool,
}: Pick<RunnerProfile, "pool"> & { id: string | RawBuilder<unknown> }): RawBuilder<unknown> {
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
  runner: RunnerProfile & { id: string },
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
export async function isBarred(reader: Reader, runner: RunnerProfile & { id: string }): Promise<boolean> {
  const { rows } = await unbarred(runner).execute(reader.sql);
  return rows.length === 0;
}
