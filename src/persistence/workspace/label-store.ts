/** Selects workspaces by their labels. */
import { type RawBuilder, sql } from "kysely";
import type { CallerScope } from "../../model/people/permission.ts";
import type { Reader } from "../database/database.ts";
import { within } from "../database/scope.ts";

/**
 * The condition that a workspace has all labels; `key` matches `key:value` too. The index `workspace_label` has labels
 * and keys as terms. `alias` names the workspace in the statement.
 */
export function hasLabels(alias: string, labels: readonly string[]): RawBuilder<boolean> {
  const column = sql.ref(`${alias}.labels`);
  return sql<boolean>`(${column} <> '{}' and label_terms(${column}) @> ${labels}::text[])`;
}

/** Lists ids of the workspaces of a scope that have all of the labels, by name. */
export async function selectLabelledWorkspaces(
  reader: Reader,
  scope: CallerScope,
  organizationId: string,
  labels: readonly string[],
  limit: number,
): Promise<string[]> {
  const limits = within(scope, { organization: "organization_id", project: "project_id", workspace: "id" });
  const rows = await reader.sql
    .selectFrom("workspace")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where(hasLabels("workspace", labels))
    .$if(limits !== null, (q) => q.where(limits ?? sql<boolean>`true`))
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}
