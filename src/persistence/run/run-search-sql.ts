/** Conditions on the texts and plans of runs, in SQL. */
import { type RawBuilder, sql } from "kysely";

/** Whether a column has a text, literally. Folded by Postgres on both sides, as it folds columns. */
function contains(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${text})) > 0`;
}

/** Whether the name of the run's workspace contains a text. */
export function ofNamedWorkspace(text: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from workspace named where named.id = run.workspace_id
    and ${contains("named.name", text)})`;
}

/** Whether the message, or the name of the workspace, contains a text. */
export function hasText(text: string): RawBuilder<boolean> {
  return sql<boolean>`(${contains("run.message", text)} or ${ofNamedWorkspace(text)})`;
}

/** Whether the newest plan destroys at least so many resources. An APPLY has the plan of its PLAN run. */
export function destroys(count: number): RawBuilder<boolean> {
  return sql<boolean>`run.plan_version > 0 and exists (select from plan where plan.run_id = coalesce(run.plan_run_id, run.id)
    and plan.version = run.plan_version and plan.destructions >= ${count})`;
}
