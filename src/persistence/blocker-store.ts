import { sql } from "kysely";
import type { BlockerFacts } from "../model/blocker.ts";
import type { Run } from "../model/run.ts";
import { WORKSPACE_LOCK_REASONS } from "../model/workspace.ts";
import { wordOrNull } from "./closed-set.ts";
import type { Reader } from "./database.ts";
import { inOrder } from "./group.ts";

interface Row {
  id: string;
  paused: boolean;
  lock_reason: string | null;
  locked_at: string | null;
  holder_id: string | null;
  holder_number: number;
  holder_since: string;
  ahead_id: string | null;
  ahead_number: number;
  ahead_since: string;
  position: number;
  busy: number;
  concurrency_limit: number;
  seen_at: string | null;
}

/**
 * What may be in the way of each run at an instant; a runner counts as present when it was heard from after
 * `runnersSince`.
 */
export async function blockerFacts(
  reader: Reader,
  runs: readonly Run[],
  times: { at: string; runnersSince: string },
): Promise<(BlockerFacts | null)[]> {
  const ids = runs.map((run) => run.id);
  const { rows } = await sql<Row>`
    select run.id, workspace.paused, workspace.locked_at, organization.concurrency_limit,
      case when workspace.lock_expires_at <= ${times.at} then null else workspace.lock_reason end as lock_reason,
      holder.id as holder_id, holder.number as holder_number, holder.created_at as holder_since,
      ahead.id as ahead_id, ahead.number as ahead_number, ahead.created_at as ahead_since,
      (select count(*) from run q where q.workspace_id = run.workspace_id and q.status = 'QUEUED'
        and q.kind <> 'PLAN' and q.number <= run.number) as position,
      (select count(*) from job where job.organization_id = run.organization_id and job.ended_at is null) as busy,
      (select max(last_seen_at) from runner) as seen_at
    from run
    join workspace on workspace.id = run.workspace_id
    join organization on organization.id = run.organization_id
    left join run holder on holder.workspace_id = run.workspace_id and holder.holds_workspace and holder.id <> run.id
    left join lateral (select q.id, q.number, q.created_at from run q where q.workspace_id = run.workspace_id
      and q.status = 'QUEUED' and q.kind <> 'PLAN' and q.number < run.number order by q.number limit 1) ahead on true
    where run.id = any(${ids})
  `.execute(reader.sql);
  return inOrder(ids, rows, (row) => row.id).map((row, index) => {
    const run = runs[index];
    return row === null || run === undefined ? null : toFacts(run, row, times.runnersSince);
  });
}

function toFacts(run: Run, row: Row, runnersSince: string): BlockerFacts {
  const reason = wordOrNull(WORKSPACE_LOCK_REASONS, row.lock_reason);
  const other = (id: string | null, number: number, since: string) => (id === null ? null : { id, number, since });
  return {
    run: { kind: run.kind, status: run.status, statusAt: run.statusAt },
    workspace: {
      paused: row.paused,
      lock: reason === null || row.locked_at === null ? null : { reason, since: row.locked_at },
      holder: other(row.holder_id, row.holder_number, row.holder_since),
      ahead: other(row.ahead_id, row.ahead_number, row.ahead_since),
      position: row.position,
    },
    organization: { busy: row.busy, limit: row.concurrency_limit },
    runners: { present: row.seen_at !== null && row.seen_at >= runnersSince, lastSeenAt: row.seen_at },
  };
}
