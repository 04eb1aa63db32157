/** Projects of organizations. Every change of the tree is counted by triggers, so that rights are compiled again. */
import { type Selectable, sql } from "kysely";
import type { Place } from "../../model/people/place.ts";
import type { Project } from "../../model/people/project.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

function toProject(row: Selectable<Tables["project"]>): Project {
  return {
    id: row.id,
    organizationId: row.organization_id,
    parentId: row.parent_id,
    name: row.name,
    path: row.path,
    isolated: row.isolated,
    createdAt: row.created_at,
  };
}

function kept(reader: Reader) {
  return reader.sql.selectFrom("project").selectAll().where("deleted_at", "is", null);
}

/** Throws a unique violation of `project_name` where the parent has a project of that name. */
export async function insertProject(tx: Transaction, project: Project): Promise<void> {
  await tx.sql
    .insertInto("project")
    .values({
      id: project.id,
      organization_id: project.organizationId,
      parent_id: project.parentId,
      name: project.name,
      path: [...project.path],
      isolated: project.isolated,
      created_at: project.createdAt,
    })
    .execute();
}

/** Throws as `insertProject` does. */
export async function updateProjectRow(
  tx: Transaction,
  id: string,
  { name, isolated }: Pick<Project, "name" | "isolated">,
): Promise<void> {
  await tx.sql.updateTable("project").set({ name, isolated }).where("id", "=", id).execute();
}

/** The deepest level of a project and all below it. */
export async function findDeepestLevel(reader: Reader, { id, organizationId }: Project): Promise<number> {
  const row = await reader.sql
    .selectFrom("project")
    .select(sql<number>`max(cardinality(path))`.as("level"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(sql<boolean>`${id} = any(path)`)
    .executeTakeFirstOrThrow();
  return row.level;
}

/**
 * Moves a project with all below it. `parent`: `null` for directly below the organization, whose row must be locked.
 * Throws as `insertProject` does.
 */
export async function moveProjectRow(tx: Transaction, project: Project, parent: Project | null): Promise<void> {
  const above = parent?.path ?? [];
  await sql`
    update project set path = ${above}::text[] || path[${project.path.length}:],
      parent_id = case when id = ${project.id} then ${parent?.id ?? null} else parent_id end
    where organization_id = ${project.organizationId} and deleted_at is null and ${project.id} = any(path)
  `.execute(tx.sql);
}

export async function markProjectDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("project").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Locks a project, so that it is neither changed nor deleted; `null` if there is none. */
export async function lockProject(tx: Transaction, id: string): Promise<Project | null> {
  const row = await kept(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toProject(row);
}

/** Keeps a project from being deleted until the end of the transaction; `null` if there is none. */
export async function holdProject(tx: Transaction, id: string): Promise<Project | null> {
  const row = await kept(tx).where("id", "=", id).forShare().executeTakeFirst();
  return row === undefined ? null : toProject(row);
}

export async function findProjects(reader: Reader, ids: readonly string[]): Promise<(Project | null)[]> {
  const rows = await kept(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toProject), (project) => project.id);
}

/** All projects of organizations, by name. */
export async function listProjects(reader: Reader, organizationIds: readonly string[]): Promise<Project[][]> {
  const rows = await kept(reader)
    .where("organization_id", "in", organizationIds)
    .orderBy("name")
    .orderBy("id")
    .limit(organizationIds.length * PROJECTS_READ)
    .execute();
  return grouped(organizationIds, rows.map(toProject), (project) => project.organizationId);
}

/** Ids of the projects of an organization that are isolated, and of all below those. */
export async function listIsolatedProjects(reader: Reader, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct own.id from project line join project own on line.id = any(own.path)
    where line.organization_id = ${organizationId} and line.isolated order by own.id`.execute(reader.sql);
  return rows.map(({ id }) => id);
}

const PROJECTS_READ = 2000;

export async function countProjects(reader: Reader, organizationId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("project")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** A workspace or a project, by its name and its place. */
export interface ProjectContent {
  name: string;
  place: Place;
}

/** A workspace and a project directly below one, if there are any. */
export async function listContent(reader: Reader, projectId: string): Promise<ProjectContent[]> {
  const { rows } = await sql<{ id: string; name: string; organization_id: string; is_project: boolean }>`
    (select id, name, organization_id, false as is_project from workspace
      where project_id = ${projectId} and deleted_at is null limit 1)
    union all (select id, name, organization_id, true from project
      where parent_id = ${projectId} and deleted_at is null limit 1)
  `.execute(reader.sql);
  return rows.map(({ id, name, organization_id: organizationId, is_project: isProject }) => {
    const place = { organizationId, projectId: isProject ? id : projectId, workspaceId: isProject ? null : id };
    return { name, place };
  });
}

/** Moves a workspace with its runs. The row of the workspace must be locked. */
export async function moveWorkspaceRow(tx: Transaction, workspaceId: string, projectId: string): Promise<void> {
  await tx.sql.updateTable("workspace").set({ project_id: projectId }).where("id", "=", workspaceId).execute();
  await tx.sql.updateTable("run").set({ project_id: projectId }).where("workspace_id", "=", workspaceId).execute();
}
