import { type RawBuilder, sql } from "kysely";
import type { CallerScope } from "../../model/people/permission.ts";

/** The columns that hold the place of a row; without `workspace`: rows that belong to no workspace. */
export interface PlaceColumns {
  organization: string;
  workspace?: string;
}

/** The condition that a row lies within a scope; `null` if the scope is everything, which needs none. */
export function within(scope: CallerScope, columns: PlaceColumns): RawBuilder<boolean> | null {
  if (scope.type === "everything") return null;
  if (scope.type === "nothing") return sql<boolean>`false`;
  const ofOrganizations = sql<boolean>`${sql.ref(columns.organization)} = any(${scope.organizationIds}::text[])`;
  if (columns.workspace === undefined) return ofOrganizations;
  const ofWorkspaces = sql<boolean>`${sql.ref(columns.workspace)} = any(${scope.workspaceIds}::text[])`;
  return sql<boolean>`(${ofOrganizations} or ${ofWorkspaces})`;
}
