/** Runs for which the dispatch table may be wrong: their time has come, or a freeze window has opened or ended. */
import { sql } from "kysely";
import { RUN_KINDS, type RunKind } from "../../model/lifecycle/run-kind.ts";
import { RUN_STATUSES, type RunStatus } from "../../model/lifecycle/run-status.ts";
import { STATUS_SQL } from "../run/status-sql.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";

export interface StaleDispatch {
  workspaceId: string;
  kind: RunKind;
  status: RunStatus;
  scheduledAt: string | null;
  applyAt: string | null;
  dispatched: boolean;
}

interface Row {
  workspace_id: string;
  kind: string;
  status: string;
  scheduled_at: string | null;
  apply_at: string | null;
  dispatched: boolean;
}

/**
 * Lists runs that wait without a blocker that the database can see, and approved runs in the dispatch table if there are
 * freeze windows, which the database cannot evaluate.
 */
export async function listStaleDispatch(reader: Reader, at: string, limit: number): Promise<StaleDispatch[]> {
  const columns = sql.raw("run.workspace_id, run.kind, run.status, run.scheduled_at, run.apply_at");
  const isFree = sql.raw(
    "not exists (select from run h where h.workspace_id = run.workspace_id and h.holds_workspace)",
  );
  // The classes of runs that hold the workspace, and of plans that hold nothing.
  const noRow = (lane: "< 2" | ">= 2") =>
    sql.raw(`not exists (select from dispatch d where d.workspace_id = run.workspace_id and d.class ${lane})`);
  const { rows } = await sql<Row>`
    select ${columns}, false as dispatched from run join workspace w on w.id = run.workspace_id
    where run.status in (${STATUS_SQL.claimable}) and run.kind <> 'PLAN' and not w.paused
      and ${noRow("< 2")} and (run.holds_workspace or ${isFree})
      and (run.status <> ${STATUS_SQL.approved} or w.lock_reason is null and (run.apply_at is null or run.apply_at <= ${at}))
    union all
    select ${columns}, false from run join workspace w on w.id = run.workspace_id
    where run.status = ${STATUS_SQL.admitted} and run.kind = 'PLAN' and not w.paused and ${noRow(">= 2")}
    union all
    select ${columns}, false from run join workspace w on w.id = run.workspace_id
    where run.status = ${STATUS_SQL.queued} and run.scheduled_at <= ${at} and not run.awaits_upstream
      and (run.reported_blockers like '%SCHEDULED_AT%' or not w.paused and (run.kind = 'PLAN' or ${isFree})
        and (w.lock_reason is null or w.lock_reason = 'APPLY_INTERRUPTED' and run.kind = 'UNLOCK'))
    union all
    select ${columns}, true from dispatch d join run on run.id = d.run_id
      join workspace w on w.id = run.workspace_id join organization o on o.id = run.organization_id
    where d.class = 0 and run.status = ${STATUS_SQL.approved} and (w.freeze_windows <> '[]' or o.freeze_windows <> '[]')
    limit ${limit}
  `.execute(reader.sql);
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    kind: word(RUN_KINDS, row.kind),
    status: word(RUN_STATUSES, row.status),
    scheduledAt: row.scheduled_at,
    applyAt: row.apply_at,
    dispatched: row.dispatched,
  }));
}
