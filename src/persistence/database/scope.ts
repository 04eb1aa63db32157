import { type RawBuilder, sql } from "kysely";
import type { CallerScope } from "../../model/people/permission.ts";

/** The columns that hold the place of a row; rows that belong to an organization as a whole have the first alone. */
export interface PlaceColumns {
  organization: string;
  project?: string;
  workspace?: string;
  /** Whether some rows belong to an organization as a whole, and have no project. */
  isProjectNullable?: true;
}

/** The condition that a row lies within a scope; `null` if the scope is everything, which needs none. */
export function within(scope: CallerScope, columns: PlaceColumns): RawBuilder<boolean> | null {
  if (scope.type === "everything") return null;
  if (scope.type === "nothing") return sql<boolean>`false`;
  const { organizationIds, hiddenProjectIds, projectIds, workspaceIds } = scope;
  const anyOf = (column: string, ids: readonly string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::text[])`;
  const ofOrganizations = organizationIds === "ALL" ? sql<boolean>`true` : anyOf(columns.organization, organizationIds);
  if (columns.project === undefined || columns.workspace === undefined) return ofOrganizations;
  const inherited =
    hiddenProjectIds.length === 0
      ? ofOrganizations
      : sql<boolean>`(${ofOrganizations} and ${outside(columns.project, hiddenProjectIds, columns.isProjectNullable)})`;
  const parts = [inherited];
  if (projectIds.length > 0) parts.push(anyOf(columns.project, projectIds));
  if (workspaceIds.length > 0) parts.push(anyOf(columns.workspace, workspaceIds));
  return sql<boolean>`(${sql.join(parts, sql` or `)})`;
}

/** The condition that a row is in none of these projects. A comparison with no project would hide the row. */
function outside(project: string, hiddenIds: readonly string[], isNullable = false): RawBuilder<boolean> {
  const isOutside = sql<boolean>`${sql.ref(project)} <> all(${hiddenIds}::text[])`;
  return isNullable ? sql<boolean>`(${sql.ref(project)} is null or ${isOutside})` : isOutside;
}
