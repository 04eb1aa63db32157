/** Reads what the rights of callers are compiled from. */
import { type RawBuilder, sql } from "kysely";
import type { AccessVersion } from "../../model/people/access-version.ts";
import type { Scope } from "../../model/people/grant.ts";
import { PERMISSIONS, type PermissionSet, permissionSet, union } from "../../model/people/permission-set.ts";
import type { ProjectNode } from "../../model/people/project-tree.ts";
import { ALWAYS_INCLUDED, BUILT_IN_ROLES, builtInRoleId, permissionsOf } from "../../model/people/role.ts";
import type { Reader } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";

/** The counters, as columns of another statement: one row of one page, which costs nothing that can be measured. */
export const ACCESS_VERSION = [
  sql<number>`(select version from access_epoch)`.as("access_version"),
  sql<number>`(select moves from access_epoch)`.as("access_moves"),
] as const;

const accessVersion = prepared(() => sql<AccessVersion>`select version, moves from access_epoch`);

/** Reads the counters alone. */
export async function readAccessVersion(reader: Reader): Promise<AccessVersion> {
  const [version] = await accessVersion(reader, {});
  if (version === undefined) throw new Error("The counters of rights are missing.");
  return version;
}

/** A grant in force: of the actor, or of a team that it is a member of. */
export interface GrantInForce {
  permissions: PermissionSet;
  scope: Scope;
  /** When the grant or the membership ends; `null`: it has no end. */
  until: string | null;
}

interface GrantRow {
  actor_id: string;
  version: number;
  moves: number;
  role_id: string | null;
  permissions: string[] | null;
  organization_id: string | null;
  scope_id: string | null;
  project_id: string | null;
  until: string | null;
}

const isInForce = (column: string, at: RawBuilder<string>) =>
  sql`(${sql.raw(column)} is null or ${sql.raw(column)} > ${at}::timestamptz)`;

const grantsOfActors = prepared(
  (_db, slot: Slot<{ actorIds: readonly string[]; at: string }>) => sql<GrantRow>`
    select asked.actor_id, epoch.version, epoch.moves, held.role_id, role.permissions,
      held.organization_id, held.scope_id, workspace.project_id, held.until
    from access_epoch epoch
    cross join unnest(${slot("actorIds")}::text[]) as asked (actor_id)
    left join lateral (
      select g.role_id, g.organization_id, g.scope_id, g.expires_at as until
      from access_grant g
      where g.principal_id = asked.actor_id and g.revoked_at is null and ${isInForce("g.expires_at", slot("at"))}
      union all
      select g.role_id, g.organization_id, g.scope_id, least(g.expires_at, m.lapses_at)
      from team_member m
      join team on team.id = m.team_id and team.deleted_at is null
      join access_grant g on g.principal_id = m.team_id
      where m.actor_id = asked.actor_id and ${isInForce("m.lapses_at", slot("at"))}
        and g.revoked_at is null and ${isInForce("g.expires_at", slot("at"))}
    ) held on true
    left join role on role.id = held.role_id
    left join workspace on workspace.id = held.scope_id
  `,
);

/** The grants in force of each actor at an instant, with the counters of the same moment. */
export async function findGrantsInForce(
  reader: Reader,
  actorIds: readonly string[],
  at: string,
): Promise<{ grants: GrantInForce[]; version: AccessVersion }[]> {
  const rows = Map.groupBy(await grantsOfActors(reader, { actorIds, at }), ({ actor_id }) => actor_id);
  return actorIds.map((id) => {
    const own = rows.get(id) ?? [];
    const [first] = own;
    if (first === undefined) throw new Error("The counters of rights are missing.");
    return { grants: own.flatMap(toGrant), version: { version: first.version, moves: first.moves } };
  });
}

function toGrant(row: GrantRow): GrantInForce[] {
  if (row.role_id === null) return [];
  const scope = toScope(row);
  if (scope === null) return [];
  const permissions = union(permissionsOfRow(row.role_id, row.permissions ?? []), ALWAYS_INCLUDED);
  return [{ permissions, scope, until: row.until }];
}

const BUILT_IN = new Map(BUILT_IN_ROLES.map((role) => [builtInRoleId(role), permissionsOf(role)]));

/** The permissions of a role: in code if it is built in, else of its row. Names that no longer exist give nothing. */
export function permissionsOfRow(roleId: string, names: readonly string[]): PermissionSet {
  return BUILT_IN.get(roleId) ?? permissionSet(PERMISSIONS.filter((permission) => names.includes(permission)));
}

/** The scope of a grant; `null` if it is a workspace that does not exist. */
function toScope({
  organization_id: organizationId,
  scope_id: scopeId,
  project_id: projectId,
}: Pick<GrantRow, "organization_id" | "scope_id" | "project_id">): Scope | null {
  if (scopeId === null || organizationId === null) return { type: "installation" };
  if (scopeId === organizationId) return { type: "organization", organizationId };
  if (scopeId.startsWith("prj_")) return { type: "project", organizationId, projectId: scopeId };
  return projectId === null ? null : { type: "workspace", organizationId, projectId, workspaceId: scopeId };
}

/** Scopes by their ids, in no order; those that do not exist are left out. */
export async function findScopes(reader: Reader, ids: readonly string[]): Promise<Scope[]> {
  const { rows } = await sql<{ organization_id: string; scope_id: string; project_id: string | null }>`
    select id as organization_id, id as scope_id, null as project_id from organization where id = any(${ids}::text[])
    union all
    select organization_id, id, null from project where id = any(${ids}::text[]) and deleted_at is null
    union all
    select organization_id, id, project_id from workspace where id = any(${ids}::text[])
  `.execute(reader.sql);
  return rows.flatMap((row) => toScope(row) ?? []);
}

/** All projects of the installation. */
export async function listProjectNodes(reader: Reader): Promise<ProjectNode[]> {
  const rows = await reader.sql
    .selectFrom("project")
    .select(["id", "organization_id", "parent_id", "isolated"])
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    parentId: row.parent_id,
    isolated: row.isolated,
  }));
}
