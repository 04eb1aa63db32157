/** The order of the members of changesets: which wait for others, and how those ended. */
import { type RawBuilder, sql } from "kysely";
import { type DependencyTrigger, DEPENDENCY_TRIGGERS, type MemberOrdering } from "../../model/dependency/dependency.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { STATUS_SQL } from "../run/status-sql.ts";

/** The order of the members of a new changeset. */
export async function insertOrderings(
  tx: Transaction,
  changesetId: string,
  orderings: readonly MemberOrdering[],
): Promise<void> {
  if (orderings.length === 0) return;
  const ids = orderings.map(({ workspaceId }) => workspaceId);
  const after = orderings.map(({ afterId }) => afterId);
  const ignores = orderings.map(({ ignoresFailure }) => ignoresFailure);
  await sql`insert into changeset_order (changeset_id, workspace_id, after_id, ignores_failure)
    select ${changesetId}, * from unnest(${ids}::text[], ${after}::text[], ${ignores}::boolean[])`.execute(tx.sql);
}

/** Whether a member `m` comes after one whose run has not ended, or does not exist yet. */
const WAITS: RawBuilder<boolean> = sql`exists (
  select from changeset_order o join changeset_member b on b.changeset_id = o.changeset_id and b.workspace_id = o.after_id
    join workspace w on w.id = b.workspace_id left join run r on r.id = b.run_id
  where o.changeset_id = m.changeset_id and o.workspace_id = m.workspace_id
    and w.deleted_at is null and b.problem is null and r.finished_at is null)`;

/** Lists those of these members that come after others. */
export async function listOrdered(
  reader: Reader,
  changesetId: string,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("changeset_order")
    .select("workspace_id")
    .distinct()
    .where("changeset_id", "=", changesetId)
    .where(sql<boolean>`workspace_id = any(${workspaceIds}::text[])`)
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Lists members whose runs wait for none any more, and are not released yet; those of the first wave first. */
export async function listReleasable(reader: Reader, changesetId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select m.workspace_id from changeset_member m join run on run.id = m.run_id
    where m.changeset_id = ${changesetId} and run.awaits_upstream and run.status = ${STATUS_SQL.queued} and not ${WAITS}
    order by m.wave, m.workspace_id limit ${limit}`.execute(reader.sql);
  return rows.map((row) => row.workspace_id);
}

/** A member whose run may be released, locked. */
export interface WaitingMember {
  workspaceId: string;
  runId: string;
  /** Whether it is there only because of its dependencies. */
  isByEdge: boolean;
}

/**
 * Locks members whose runs wait for none any more, in the order in which rows of workspaces are locked. Those that another
 * server releases are left out.
 */
export async function lockReleasable(
  tx: Transaction,
  changesetId: string,
  workspaceIds: readonly string[],
): Promise<WaitingMember[]> {
  const { rows } = await sql<{ workspace_id: string; run_id: string; by_edge: boolean }>`
    select m.workspace_id, m.run_id, m.by_edge from changeset_member m
    where m.changeset_id = ${changesetId} and m.workspace_id = any(${workspaceIds}::text[]) and m.run_id is not null
      and not ${WAITS}
    order by m.workspace_id for update of m skip locked`.execute(tx.sql);
  return rows.map((row) => ({ workspaceId: row.workspace_id, runId: row.run_id, isByEdge: row.by_edge }));
}

/** A member that comes after another one which did not end well. */
export interface FailedBefore {
  workspaceId: string;
  afterId: string;
}

/**
 * Lists for members those that come before them and did not end well: their runs failed or were not wanted, or could not be
 * created.
 */
export async function listFailedBefore(
  reader: Reader,
  changesetId: string,
  workspaceIds: readonly string[],
): Promise<FailedBefore[]> {
  const { rows } = await sql<FailedBefore>`
    select o.workspace_id as "workspaceId", o.after_id as "afterId"
    from changeset_order o join changeset_member m on m.changeset_id = o.changeset_id and m.workspace_id = o.after_id
      join workspace w on w.id = o.after_id left join run r on r.id = m.run_id
    where o.changeset_id = ${changesetId} and o.workspace_id = any(${workspaceIds}::text[]) and w.deleted_at is null
      and not o.ignores_failure
      and (m.problem is not null or r.finished_at is not null
        and (r.status not in ('FINISHED', 'SKIPPED') or r.outcome = 'APPLY_SKIPPED'
          -- Policies denied it before it was queued.
          or (r.status = 'SKIPPED' and r.finished_at = r.created_at and exists (
            select from policy_evaluation e
            where e.run_id = r.id and e.point = 'RUN_CREATE' and not e.shadow and e.status in ('FAILED', 'ERRORED')))))
    order by o.after_id`.execute(reader.sql);
  return rows;
}

/** A run upstream that was applied in a changeset before one of a workspace downstream. */
export interface AppliedBefore {
  upstreamId: string;
  runId: string;
  trigger: DependencyTrigger;
}

/** Lists the runs in a changeset that were applied in the upstreams of a workspace. */
export async function listAppliedBefore(
  reader: Reader,
  changesetId: string,
  workspaceId: string,
): Promise<AppliedBefore[]> {
  const { rows } = await sql<{ upstream_id: string; run_id: string; trigger: string }>`
    select d.upstream_id, r.id as run_id, d.trigger
    from workspace_dependency d join changeset_member m on m.changeset_id = ${changesetId} and m.workspace_id = d.upstream_id
      join run r on r.id = m.run_id
    where d.downstream_id = ${workspaceId} and r.outcome = 'APPLIED' order by d.upstream_id`.execute(reader.sql);
  return rows.map((row) => ({
    upstreamId: row.upstream_id,
    runId: row.run_id,
    trigger: word(DEPENDENCY_TRIGGERS, row.trigger),
  }));
}

/**
 * Lets members be tried again whose runs failed only because one before them did, now that it is tried again itself. Returns
 * whether there were any.
 */
export async function reopenAfter(tx: Transaction, changesetId: string, workspaceId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with recursive below as (
      select workspace_id from changeset_order where changeset_id = ${changesetId} and after_id = ${workspaceId}
      union
      select o.workspace_id from below join changeset_order o
        on o.changeset_id = ${changesetId} and o.after_id = below.workspace_id
    )
    update changeset_member m set run_id = null from below, run r
    where m.changeset_id = ${changesetId} and m.workspace_id = below.workspace_id and r.id = m.run_id
      and r.failure ->> 'code' = 'DEPENDENCY_FAILED'`.execute(tx.sql);
  return (numAffectedRows ?? 0n) > 0n;
}
