/** The members of changesets that count: those of workspaces that were not deleted, within a scope. */
import { type RawBuilder, sql } from "kysely";
import type { CallerScope } from "../../model/people/permission.ts";
import { within } from "../database/scope.ts";

/** The condition that the workspace `w` of a member is kept and lies within a scope. */
export function keptWithin(scope: CallerScope): RawBuilder<unknown> {
  const limits = within(scope, { organization: "w.organization_id", project: "w.project_id", workspace: "w.id" });
  return limits === null ? sql`w.deleted_at is null` : sql`w.deleted_at is null and ${limits}`;
}
