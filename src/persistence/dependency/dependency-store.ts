/** Dependencies between workspaces. Those of deleted workspaces do not count. */
import { type Selectable, sql } from "kysely";
import { type Dependency, DEPENDENCY_TRIGGERS, type DependencyEdge } from "../../model/dependency/dependency.ts";
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

/** Lists the dependencies of other workspaces on one, but for those that start no run; by the ids of the others. */
export async function listDownstreams(reader: Reader, upstreamId: string): Promise<Dependency[]> {
  const { rows } = await sql<Row>`
    select d.* from workspace_dependency d join workspace w on w.id = d.downstream_id
    where d.upstream_id = ${upstreamId} and d.trigger <> 'NEVER' and w.deleted_at is null
    order by d.downstream_id`.execute(reader.sql);
  return rows.map(toDependency);
}

/** A dependency `d` by which a run upstream may start one downstream. */
const STARTS = sql`(d.trigger = 'ALWAYS' or d.trigger = 'OUTPUTS_CHANGED' and d.outputs <> '[]')`;

/** Ids of the workspaces in which runs in these may start others, one after the other; these are not among them. */
export async function listStartedIds(reader: Reader, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${below(workspaceIds)}
    select id from below where id <> all(${workspaceIds}::text[]) order by id`.execute(reader.sql);
  return rows.map(({ id }) => id);
}

/** Ids of the workspaces on the ways from one of these to another one, by which runs may start others. */
export async function listIdsBetween(reader: Reader, workspaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${below(workspaceIds)}, above as (
      select d.upstream_id as id from workspace_dependency d where d.downstream_id = any(${workspaceIds}::text[]) and ${STARTS}
      union
      select d.upstream_id from above join workspace_dependency d on d.downstream_id = above.id where ${STARTS}
    )
    select id from below where id in (select id from above) and id <> all(${workspaceIds}::text[])
    order by id`.execute(reader.sql);
  return rows.map(({ id }) => id);
}

function below(workspaceIds: readonly string[]) {
  return sql`with recursive below as (
      select d.downstream_id as id from workspace_dependency d join workspace w on w.id = d.downstream_id
        where d.upstream_id = any(${workspaceIds}::text[]) and w.deleted_at is null and ${STARTS}
      union
      select d.downstream_id from below join workspace_dependency d on d.upstream_id = below.id
        join workspace w on w.id = d.downstream_id where w.deleted_at is null and ${STARTS}
    )`;
}
