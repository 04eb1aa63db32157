import { type Selectable, sql } from "kysely";
import type { CallerScope } from "../../model/people/permission.ts";
import { type Page, type PageRequest, toPage } from "../../model/kit/page.ts";
import type { Retention } from "../../model/workspace/retention.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { rulesColumns, toRules } from "./rules-columns.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import { within } from "../database/scope.ts";
import type { Tables } from "../database/tables.ts";

/** Converts a row to the organization that it stores. */
export function toOrganization(row: Selectable<Tables["organization"]>): Organization {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    concurrencyLimit: row.concurrency_limit,
    maxRunsPerPush: row.max_runs_per_push,
    retention: { logDays: row.log_days, eventDays: row.event_days, archiveDays: row.archive_days },
    rules: toRules(row),
  };
}

function retentionColumns({ logDays, eventDays, archiveDays }: Retention) {
  return { log_days: logDays, event_days: eventDays, archive_days: archiveDays };
}

const organizationsById = prepared((db, slot: Slot<{ ids: readonly string[] }>) =>
  db
    .selectFrom("organization")
    .selectAll()
    .where("id", "=", isAnyOf(slot("ids"))),
);

export async function findOrganizations(reader: Reader, ids: readonly string[]): Promise<(Organization | null)[]> {
  const rows = await organizationsById(reader, { ids });
  return inOrder(ids, rows.map(toOrganization), (organization) => organization.id);
}

export async function findOrganizationBySlug(reader: Reader, slug: string): Promise<Organization | null> {
  const row = await reader.sql.selectFrom("organization").selectAll().where("slug", "=", slug).executeTakeFirst();
  return row === undefined ? null : toOrganization(row);
}

/** Lists the organizations of a scope by slug; positions are slugs. */
export async function listOrganizations(
  reader: Reader,
  scope: CallerScope,
  page: PageRequest<string>,
): Promise<Page<Organization>> {
  const { after, before } = page;
  const limits = within(scope, { organization: "id" });
  const rows = await reader.sql
    .selectFrom("organization")
    .selectAll()
    .$if(limits !== null, (q) => q.where(limits ?? sql<boolean>`true`))
    .$if(after !== null, (q) => q.where("slug", ">", after ?? ""))
    .$if(before !== null, (q) => q.where("slug", "<", before ?? ""))
    .orderBy("slug", page.direction === "forward" ? "asc" : "desc")
    .limit(page.limit + 1)
    .execute();
  return toPage(page, rows.map(toOrganization));
}

/** Throws a unique violation of `organization_slug_key` where the slug is in use. */
export async function insertOrganization(
  tx: Transaction,
  organization: Organization & { createdAt: string },
): Promise<void> {
  await tx.sql
    .insertInto("organization")
    .values({
      id: organization.id,
      slug: organization.slug,
      name: organization.name,
      concurrency_limit: organization.concurrencyLimit,
      max_runs_per_push: organization.maxRunsPerPush,
      ...retentionColumns(organization.retention),
      ...rulesColumns(organization.rules),
      created_at: organization.createdAt,
    })
    .execute();
}

export async function updateOrganizationSettings(
  tx: Transaction,
  id: string,
  set: Pick<Organization, "name" | "concurrencyLimit" | "maxRunsPerPush" | "retention" | "rules">,
): Promise<void> {
  await tx.sql
    .updateTable("organization")
    .set({
      name: set.name,
      concurrency_limit: set.concurrencyLimit,
      max_runs_per_push: set.maxRunsPerPush,
      ...retentionColumns(set.retention),
      ...rulesColumns(set.rules),
    })
    .where("id", "=", id)
    .execute();
}

/**
 * Locks the row of an organization: after the rows of its workspaces and runs, and none of those may be locked
 * afterwards. Rows that refer to it can still be inserted: a lock that forbids it deadlocks with the creation of a run.
 */
export async function lockOrganization(tx: Transaction, id: string): Promise<Organization> {
  const organization = await lockOrganizationIfAny(tx, id);
  if (organization === null) throw new Error(`There is no organization ${id}.`);
  return organization;
}

/** Locks the row of an organization as `lockOrganization` does; `null` if there is none. */
export async function lockOrganizationIfAny(tx: Transaction, id: string): Promise<Organization | null> {
  const row = await tx.sql
    .selectFrom("organization")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toOrganization(row);
}
