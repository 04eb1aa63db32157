import type { Selectable } from "kysely";
import { permissionsIn } from "../../model/people/permission-set.ts";
import { BUILT_IN, type Role } from "../../model/people/role.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { grouped, inOrder } from "../database/group.ts";
import type { Tables } from "../database/tables.ts";
import { permissionsOfRow } from "./access-store.ts";

const DESCRIPTIONS = new Map(BUILT_IN.map(({ id, description }) => [id, description]));

function toRole(row: Selectable<Tables["role"]>): Role {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: DESCRIPTIONS.get(row.id) ?? row.description,
    permissions: permissionsOfRow(row.id, row.permissions),
  };
}

/** Throws a unique violation of `role_name` where the organization has a role of that name, in any case of letters. */
export async function insertRole(tx: Transaction, role: Role, createdAt: string): Promise<void> {
  await tx.sql
    .insertInto("role")
    .values({
      id: role.id,
      organization_id: role.organizationId,
      name: role.name,
      description: role.description,
      permissions: permissionsIn(role.permissions),
      created_at: createdAt,
    })
    .execute();
}

export async function lockRole(tx: Transaction, id: string): Promise<Role | null> {
  const row = await tx.sql
    .selectFrom("role")
    .selectAll()
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toRole(row);
}

/** Throws as `insertRole` does. */
export async function updateRoleRow(
  tx: Transaction,
  id: string,
  { name, description, permissions }: Pick<Role, "name" | "description" | "permissions">,
): Promise<void> {
  await tx.sql
    .updateTable("role")
    .set({ name, description, permissions: permissionsIn(permissions) })
    .where("id", "=", id)
    .execute();
}

export async function markRoleDeleted(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.sql.updateTable("role").set({ deleted_at: at }).where("id", "=", id).execute();
}

/** Deleted roles included: grants that ended may have them. */
export async function findRoles(reader: Reader, ids: readonly string[]): Promise<(Role | null)[]> {
  const rows = await reader.sql.selectFrom("role").selectAll().where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toRole), (role) => role.id);
}

/** The roles of organizations by name, without the built-in ones. */
export async function listRoles(reader: Reader, organizationIds: readonly string[]): Promise<Role[][]> {
  const rows = await reader.sql
    .selectFrom("role")
    .selectAll()
    .where("organization_id", "in", organizationIds)
    .where("deleted_at", "is", null)
    .orderBy("name")
    .execute();
  return grouped(organizationIds, rows.map(toRole), (role) => role.organizationId);
}
