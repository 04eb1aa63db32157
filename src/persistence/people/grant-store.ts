/** Grants of roles to actors and teams. */
import { sql } from "kysely";
import type { Permission } from "../../model/people/permission-set.ts";
import { type BuiltInRole, builtInRoleId, builtInRolesWith } from "../../model/people/role.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** A grant to be made. */
export interface NewGrant {
  id: string;
  principalId: string;
  roleId: string;
  /** `null` in both: the installation. */
  organizationId: string | null;
  scopeId: string | null;
  reason: string | null;
  grantedById: string;
  createdAt: string;
  expiresAt: string | null;
}

/** Throws a unique violation of `access_grant_live` where the principal has the role there already. */
export async function insertGrant(tx: Transaction, grant: NewGrant): Promise<void> {
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
export function onInstallation(role: BuiltInRole): Pick<NewGrant, "roleId" | "organizationId" | "scopeId"> {
  return { roleId: builtInRoleId(role), organizationId: null, scopeId: null };
}

/** Ids of the actors with a usable token and a grant of this permission anywhere, at most so many, by id. */
export async function listActorIdsWith(
  reader: Reader,
  permission: Permission,
  at: string,
  limit: number,
): Promise<string[]> {
  const roleIds = builtInRolesWith(permission).map(builtInRoleId);
  const { rows } = await sql<{ id: string }>`
    select actor.id from actor
    where actor.disabled_at is null
      and exists (
        select from token where token.actor_id = actor.id and token.revoked_at is null
          and (token.expires_at is null or token.expires_at > ${at})
      )
      and exists (
        select from access_grant g join role on role.id = g.role_id
        where (role.id = any(${roleIds}::text[]) or ${permission} = any(role.permissions))
          and g.revoked_at is null and (g.expires_at is null or g.expires_at > ${at})
          and (g.principal_id = actor.id or g.principal_id in (
            select m.team_id from team_member m join team on team.id = m.team_id
            where m.actor_id = actor.id and team.deleted_at is null and (m.lapses_at is null or m.lapses_at > ${at})
          ))
      )
    order by actor.id limit ${limit}
  `.execute(reader.sql);
  return rows.map(({ id }) => id);
}
