/** Grants of roles to actors and teams. */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { type BuiltInRole, builtInRoleId } from "../../model/people/role.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { Placed } from "../../model/people/place.ts";
import type { RoleGrant } from "../../model/people/role-grant.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";

/** Throws a unique violation of `access_grant_live` where the principal has the role there already. */
export async function insertGrant(tx: Transaction, grant: RoleGrant): Promise<void> {
  await tx.sql
    .insertInto("access_grant")
    .values({
      id: grant.id,
      principal_id: grant.principalId,
      role_id: grant.roleId,
      organization_id: grant.organizationId,
      scope_id: grant.scopeId,
      reason: grant.reason,
      granted_by: grant.grantedById,
      created_at: grant.createdAt,
      expires_at: grant.expiresAt,
    })
    .execute();
}

/** A grant of a built-in role on the installation. */
export function onInstallation(role: BuiltInRole): Pick<RoleGrant, "roleId" | "organizationId" | "scopeId"> {
  return { roleId: builtInRoleId(role), organizationId: null, scopeId: null };
}

type Row = Selectable<Tables["access_grant"]> & { project_id: string | null };

/** The place at which a grant begins is its scope. */
function toGrant(row: Row): Placed<RoleGrant> {
  const { id, organization_id: organizationId, scope_id: scopeId } = row;
  const isProject = scopeId?.startsWith("prj_") === true;
  const isWorkspace = scopeId?.startsWith("ws_") === true;
  return {
    id,
    organizationId,
    projectId: isProject ? scopeId : row.project_id,
    workspaceId: isWorkspace ? scopeId : null,
    principalId: row.principal_id,
    roleId: row.role_id,
    scopeId,
    reason: row.reason,
    grantedById: row.granted_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

const PROJECT = sql<string | null>`(select project_id from workspace where workspace.id = access_grant.scope_id)`.as(
  "project_id",
);

/** Grants that were not revoked; those that have ended included. */
function unrevoked(reader: Reader) {
  return reader.sql
    .selectFrom("access_grant")
    .selectAll("access_grant")
    .select(PROJECT)
    .where("revoked_at", "is", null);
}

function inForce(at: string): RawBuilder<boolean> {
  return sql<boolean>`(expires_at is null or expires_at > ${at})`;
}

export async function lockGrant(tx: Transaction, id: string): Promise<Placed<RoleGrant> | null> {
  const row = await unrevoked(tx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : toGrant(row);
}

export async function findGrants(reader: Reader, ids: readonly string[]): Promise<(Placed<RoleGrant> | null)[]> {
  const rows = await unrevoked(reader).where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toGrant), (grant) => grant.id);
}

/** The grants in force that begin at these organizations, projects or workspaces, oldest first. */
export async function listGrantsOfScopes(
  reader: Reader,
  scopeIds: readonly string[],
  at: string,
): Promise<Placed<RoleGrant>[][]> {
  const rows = await unrevoked(reader).where("scope_id", "in", scopeIds).where(inForce(at)).orderBy("id").execute();
  return grouped(scopeIds, rows.map(toGrant), (grant) => grant.scopeId);
}

/**
 * Lists the grants in force that a caller may read, newest first; positions are ids. `scope`: where the caller may read
 * grants. `organizationId`: on that organization and all below it; `null`: on all, and on the installation.
 */
export async function listGrants(
  reader: Reader,
  { scope, organizationId, at }: { scope: CallerScope; organizationId: string | null; at: string },
  page: PageRequest<string>,
): Promise<Page<Placed<RoleGrant>>> {
  const { after, before } = page;
  const rows = await unrevoked(reader)
    .where(inForce(at))
    .where(isReadable(scope))
    .$if(organizationId !== null, (q) => q.where("organization_id", "=", organizationId))
    .$if(after !== null, (q) => q.where("id", "<", after ?? ""))
    .$if(before !== null, (q) => q.where("id", ">", before ?? ""))
    .orderBy("id", page.direction === "forward" ? "desc" : "asc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toGrant));
}

/** Whether the place at which a grant begins is within a scope. */
function isReadable(scope: CallerScope): RawBuilder<boolean> {
  if (scope.type === "everything") return sql`true`;
  if (scope.type === "nothing") return sql`false`;
  const { organizationIds, hiddenProjectIds, projectIds, workspaceIds } = scope;
  const project = sql`coalesce(
    (select project_id from workspace where workspace.id = access_grant.scope_id), access_grant.scope_id, '')`;
  const inOrganizations =
    organizationIds === "ALL" ? sql`true` : sql`organization_id = any(${[...organizationIds]}::text[])`;
  return sql`(${inOrganizations} and ${project} <> all(${[...hiddenProjectIds]}::text[])
    or ${project} = any(${[...projectIds]}::text[]) or scope_id = any(${[...workspaceIds]}::text[]))`;
}

/** The grants in force of these actors or teams, oldest first. */
export async function listGrantsOfPrincipals(
  reader: Reader,
  principalIds: readonly string[],
  at: string,
): Promise<Placed<RoleGrant>[][]> {
  const rows = await unrevoked(reader)
    // One text for any number: that of an actor's teams must not show in the statement.
    .where("principal_id", "=", sql<string>`any(${[...principalIds]}::text[])`)
    .where(inForce(at))
    .orderBy("id")
    .execute();
  return grouped(principalIds, rows.map(toGrant), (grant) => grant.principalId);
}

/** The grants in force of a role, oldest first. */
export async function listGrantsOfRole(reader: Reader, roleId: string, at: string): Promise<Placed<RoleGrant>[]> {
  const rows = await unrevoked(reader).where("role_id", "=", roleId).where(inForce(at)).orderBy("id").execute();
  return rows.map(toGrant);
}

export async function markGrantRevoked(
  tx: Transaction,
  id: string,
  { at, byId }: { at: string; byId: string },
): Promise<void> {
  await tx.sql.updateTable("access_grant").set({ revoked_at: at, revoked_by: byId }).where("id", "=", id).execute();
}

/** The grants in force of the runs of all workspaces in a project, or below it, oldest first. */
export async function listGrantsOfRunsIn(reader: Reader, projectId: string, at: string): Promise<Placed<RoleGrant>[]> {
  const rows = await unrevoked(reader)
    .where("principal_id", "in", (eb) =>
      eb
        .selectFrom("workspace")
        .innerJoin("project", "project.id", "workspace.project_id")
        .select("workspace.id")
        .where("project.path", "@>", sql<string[]>`array[${projectId}]::text[]`),
    )
    .where(inForce(at))
    .orderBy("id")
    .execute();
  return rows.map(toGrant);
}

/**
 * Revokes all grants on a scope that is deleted, which would still show the organization, and those of its runs if it is a
 * workspace.
 */
export async function revokeGrantsOfScope(
  tx: Transaction,
  scopeId: string,
  { at, byId }: { at: string; byId: string },
): Promise<void> {
  await tx.sql
    .updateTable("access_grant")
    .set({ revoked_at: at, revoked_by: byId })
    .where((eb) => eb.or([eb("scope_id", "=", scopeId), eb("principal_id", "=", scopeId)]))
    .where("revoked_at", "is", null)
    .execute();
}

/** A grant that has ended gives way to a new one of the same role and scope. */
export async function endExpiredGrants(
  tx: Transaction,
  { principalId, roleId, scopeId }: Pick<RoleGrant, "principalId" | "roleId" | "scopeId">,
  { at, byId }: { at: string; byId: string },
): Promise<void> {
  await tx.sql
    .updateTable("access_grant")
    .set({ revoked_at: at, revoked_by: byId })
    .where("principal_id", "=", principalId)
    .where("role_id", "=", roleId)
    .where(sql<boolean>`scope_id is not distinct from ${scopeId}`)
    .where("revoked_at", "is", null)
    .where("expires_at", "<=", at)
    .execute();
}

/**
 * How many people and machine users have the role ADMIN without an end on the organization (`null`: the installation),
 * by a grant of their own or of a team. Asked after a change of rights in the same transaction: the changes of two
 * transactions follow one another, because each counts up the version of rights.
 */
export async function countAdministrators(tx: Transaction, organizationId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct actor.id) as count
    from access_grant g
    join actor on actor.disabled_at is null and (actor.id = g.principal_id or exists (
      select from team_member m join team on team.id = m.team_id
      where m.team_id = g.principal_id and m.actor_id = actor.id and m.lapses_at is null and team.deleted_at is null))
    where g.role_id = ${builtInRoleId("ADMIN")} and g.scope_id is not distinct from ${organizationId}
      and g.revoked_at is null and g.expires_at is null
  `.execute(tx.sql);
  return rows[0]?.count ?? 0;
}
