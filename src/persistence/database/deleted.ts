/** Workspaces are never deleted from the table, nor are their runs: they are hidden where something is looked up. */
import { type RawBuilder, sql } from "kysely";

/** Whether the workspace with the id in this column was not deleted. */
export function inKeptWorkspace(column: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from workspace gone where gone.id = ${sql.ref(column)} and gone.deleted_at is not null)`;
}

/** Whether the workspace of the run with the id in this column was not deleted. */
export function ofKeptRun(column: string): RawBuilder<boolean> {
  return sql<boolean>`not exists (
    select from run owner join workspace gone on gone.id = owner.workspace_id
    where owner.id = ${sql.ref(column)} and gone.deleted_at is not null)`;
}
