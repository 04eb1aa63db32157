/** Which runs of a workspace come before another one, in SQL. */
import { type RawBuilder, sql } from "kysely";
import { STATUS_SQL } from "./status-sql.ts";

/** The queued runs `q` that come before `run`, also if their time has not come. */
export const QUEUED_BEFORE = sql<boolean>`q.workspace_id = run.workspace_id and q.status = ${STATUS_SQL.queued} and run.status = ${STATUS_SQL.queued}
  and not q.awaits_upstream
  and (q.kind = 'PLAN') = (run.kind = 'PLAN') and q.priority >= run.priority
  and (q.priority > run.priority or q.number < run.number)`;

/**
 * The runs `a` behind a gate that want the workspace back before `run` gets it. `mayApply`: neither a lock nor a freeze window
 * keeps the workspace from applying.
 */
export function approvedBefore({ at, mayApply }: { at: string; mayApply: RawBuilder<unknown> }): RawBuilder<boolean> {
  return sql`a.workspace_id = run.workspace_id and a.status in (${STATUS_SQL.afterGate})
        and a.kind <> 'PLAN' and not a.holds_workspace and (${mayApply} or a.status <> ${STATUS_SQL.approved})
        and (a.apply_at is null or a.apply_at <= ${at})
        and (run.status = ${STATUS_SQL.queued} or
          ((a.status <> ${STATUS_SQL.approved})::int, -a.priority, a.number) < ((run.status <> ${STATUS_SQL.approved})::int, -run.priority, run.number))`;
}
