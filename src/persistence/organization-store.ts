import type { Selectable } from "kysely";
import type { Organization } from "../model/workspace.ts";
import type { Reader, Transaction } from "./database.ts";
import { inOrder } from "./group.ts";
import type { Tables } from "./tables.ts";

function toOrganization(row: Selectable<Tables["organization"]>): Organization {
  return { id: row.id, slug: row.slug, name: row.name, concurrencyLimit: row.concurrency_limit };
}

export async function findOrganizations(reader: Reader, ids: readonly string[]): Promise<(Organization | null)[]> {
  const rows = await reader.sql.selectFrom("organization").selectAll().where("id", "in", ids).execute();
  return inOrder(ids, rows.map(toOrganization), (organization) => organization.id);
}

export async function findOrganizationBySlug(reader: Reader, slug: string): Promise<Organization | null> {
  const row = await reader.sql.selectFrom("organization").selectAll().where("slug", "=", slug).executeTakeFirst();
  return row === undefined ? null : toOrganization(row);
}

/**
 * Locks the row of an organization: before the rows of its workspaces and runs. Rows that refer to it can still be
 * inserted: a lock that forbids it deadlocks with whoever holds a workspace and creates a run.
 */
export async function lockOrganization(tx: Transaction, id: string): Promise<Organization> {
  const row = await tx.sql
    .selectFrom("organization")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return toOrganization(row);
}
