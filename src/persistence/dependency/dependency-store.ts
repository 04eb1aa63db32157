/** Dependencies between workspaces. Those of deleted workspaces do not count. */
import { type Selectable, sql } from "kysely";
import {
  type Dependency,
  DEPENDENCY_TRIGGERS,
  type DependencyEdge,
  type MemberOrdering,
} from "../../model/dependency/dependency.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

type Row = Selectable<Tables["workspace_dependency"]>;

const toEdge = (row: Pick<Row, "upstream_id" | "downstream_id">): DependencyEdge => {
  return { upstreamId: row.upstream_id, downstreamId: row.downstream_id };
};

function toDependency(row: Row): Dependency {
  return { ...toEdge(row), trigger: word(DEPENDENCY_TRIGGERS, row.trigger), outputs: row.outputs };
}

/** Waits for other writers of dependencies: two that write at once cannot make a cycle together. Readers do not wait. */
export async function lockDependencies(tx: Transaction): Promise<void> {
  await sql`lock table workspace_dependency in share row exclusive mode`.execute(tx.sql);
}

/** Replaces the dependencies of a workspace on others. */
export async function setUpstreams(
  tx: Transaction,
  downstreamId: string,
  dependencies: readonly Omit<Dependency, "downstreamId">[],
): Promise<void> {
  await tx.sql.deleteFrom("workspace_dependency").where("downstream_id", "=", downstreamId).execute();
  const columns = {
    upstreamId: dependencies.map(({ upstreamId }) => upstreamId),
    trigger: dependencies.map(({ trigger }) => trigger),
    outputs: dependencies.map(({ outputs }) => JSON.stringify(outputs)),
  };
  await sql`insert into workspace_dependency (downstream_id, upstream_id, trigger, outputs)
    select ${downstreamId}, * from unnest(${columns.upstreamId}::text[], ${columns.trigger}::text[],
      ${columns.outputs}::jsonb[])`.execute(tx.sql);
  const takesOutputs = dependencies.some(({ outputs }) => outputs.length > 0);
  await tx.sql.updateTable("workspace").set({ takes_outputs: takesOutputs }).where("id", "=", downstreamId).execute();
}

/** Lists the dependencies of a workspace on others, by the ids of those. */
export async function listUpstreams(reader: Reader, downstreamId: string): Promise<Dependency[]> {
  const { rows } = await sql<Row>`
    select d.* from workspace_dependency d join workspace u on u.id = d.upstream_id
    where d.downstream_id = ${downstreamId} and u.deleted_at is null order by d.upstream_id`.execute(reader.sql);
  return rows.map(toDependency);
}

/** Lists the dependencies of a workspace and of all that it depends on. */
export async function listDependenciesAbove(reader: Reader, workspaceId: string): Promise<DependencyEdge[]> {
  const { rows } = await sql<Pick<Row, "upstream_id" | "downstream_id">>`
    with recursive above as (
      select upstream_id, downstream_id from workspace_dependency where downstream_id = ${workspaceId}
      union
      select d.upstream_id, d.downstream_id from above join workspace_dependency d on d.downstream_id = above.upstream_id
    ) select * from above`.execute(reader.sql);
  return rows.map(toEdge);
}

/** Ids of the workspaces that depend on one of these, directly or through others; these are not among them. */
export async function listDependentIds(reader: Reader, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive below as (
      select d.downstream_id as id from workspace_dependency d join workspace w on w.id = d.downstream_id
        where d.upstream_id = any(${workspaceIds}::text[]) and w.deleted_at is null
      union
      select d.downstream_id from below join workspace_dependency d on d.upstream_id = below.id
        join workspace w on w.id = d.downstream_id where w.deleted_at is null
    ) select id from below where id <> all(${workspaceIds}::text[]) order by id`.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/** Lists the dependencies between workspaces of a set. */
export async function listDependenciesAmong(reader: Reader, ids: readonly string[]): Promise<Dependency[]> {
  const rows = await reader.sql
    .selectFrom("workspace_dependency")
    .selectAll()
    .where(sql<boolean>`downstream_id = any(${ids}::text[])`)
    .where(sql<boolean>`upstream_id = any(${ids}::text[])`)
    .execute();
  return rows.map(toDependency);
}

/** Lists the dependencies of which one of these workspaces is a side. */
export async function listDependenciesOf(reader: Reader, ids: readonly string[]): Promise<Dependency[]> {
  const { rows } = await sql<Row>`
    select d.* from workspace_dependency d join workspace u on u.id = d.upstream_id
      join workspace w on w.id = d.downstream_id
    where (d.upstream_id = any(${ids}::text[]) or d.downstream_id = any(${ids}::text[]))
      and u.deleted_at is null and w.deleted_at is null
    order by u.name, w.name`.execute(reader.sql);
  return rows.map(toDependency);
}

/** The order of the members of a new changeset. */
export async function insertOrderings(
  tx: Transaction,
  changesetId: string,
  orderings: readonly MemberOrdering[],
): Promise<void> {
  if (orderings.length === 0) return;
  const ids = orderings.map(({ workspaceId }) => workspaceId);
  const after = orderings.map(({ afterId }) => afterId);
  await sql`insert into changeset_order (changeset_id, workspace_id, after_id)
    select ${changesetId}, * from unnest(${ids}::text[], ${after}::text[])`.execute(tx.sql);
}

/** A run of a member that was not applied, with the workspaces that come after it. */
export interface FailedBefore {
  workspaceId: string;
  afterId: string;
  afterName: string;
  runId: string | null;
  number: number | null;
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
    select o.workspace_id as "workspaceId", o.after_id as "afterId", w.name as "afterName", r.id as "runId", r.number
    from changeset_order o join changeset_member m on m.changeset_id = o.changeset_id and m.workspace_id = o.after_id
      join workspace w on w.id = o.after_id left join run r on r.id = m.run_id
    where o.changeset_id = ${changesetId} and o.workspace_id = any(${workspaceIds}::text[]) and w.deleted_at is null
      and (m.problem is not null or r.finished_at is not null
        and (r.status not in ('FINISHED', 'SKIPPED') or r.outcome = 'APPLY_SKIPPED'))
    order by w.name`.execute(reader.sql);
  return rows;
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
