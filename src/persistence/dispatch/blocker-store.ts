/** The conditions of runs that wait: the holders of their workspace and slots, and the durations of earlier runs. */
import { sql } from "kysely";
import type { BlockerInput, OtherRun } from "../../model/admission/blocker-input.ts";
import type { Run } from "../../model/run/run.ts";
import { ESTIMATE_BY_RUNS, ESTIMATE_FROM_RUNS } from "../../model/admission/start-estimate.ts";
import type { NamedLock } from "../../model/workspace/lock-text.ts";
import type { Reader } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { approvedBefore, QUEUED_BEFORE } from "../run/ahead-sql.ts";
import { STATUS_SQL } from "../run/status-sql.ts";
import { isDriftLimited } from "../run/drift-limit.ts";
import { runnerTakes } from "../run/runner-match.ts";
import { medianOfJobs, milliseconds } from "./job-history.ts";

/** The facts of a run that its workspace's own row does not hold. */
export interface WaitingRunDetails extends Pick<BlockerInput, "place" | "organization" | "runners" | "history"> {
  holder: OtherRun | null;
  /** The first run that it waits for in its changeset. */
  upstream: OtherRun | null;
  /** The first of the approved runs that want the workspace back, if it comes before this one. */
  approved: OtherRun | null;
  /** Approved runs that come before this one. */
  approvedCount: number;
  /** The first of the queue, if it comes before this one. */
  queued: OtherRun | null;
  /** This run among those of the queue, from 1. */
  queuedPosition: number;
  /** The holder of the lock of the workspace. */
  locker: Pick<NamedLock, "actorName" | "runNumber">;
}

interface Row {
  id: string;
  holder: string | null;
  upstream: string | null;
  approved: string | null;
  approved_count: number;
  queued: string | null;
  queued_position: number;
  lock_actor: string | null;
  lock_run: number | null;
  offered: boolean | null;
  reachable: boolean | null;
  limited: boolean | null;
  since: string | null;
  place: number;
  busy: number;
  promised: number;
  concurrency_limit: number;
  pool: string | null;
  labels: string[];
  present: number;
  draining: number;
  offline: number;
  draining_since: string | null;
  offline_since: string | null;
  hold_ms: number | null;
  job_ms: number | null;
}

/** A run that is asked about, and whether something may be applied in its workspace now. */
export interface AskedRun {
  run: Pick<Run, "id">;
  mayApply: boolean;
}

/**
 * Reads the conditions of each run at an instant; `null` if there is no such run. A runner counts as present if it was
 * seen after `runnersSince`.
 */
export async function findWaitingRunDetails(
  reader: Reader,
  asked: readonly AskedRun[],
  times: { at: string; runnersSince: string; knownSince: string },
): Promise<(WaitingRunDetails | null)[]> {
  const ids = asked.map(({ run }) => run.id);
  const mayApply = asked.map((one) => one.mayApply);
  const { rows } = await sql<Row>`
    select run.id, organization.concurrency_limit,
      (select ${other("h")} from run h
        where h.workspace_id = run.workspace_id and h.holds_workspace and h.id <> run.id) as holder,
      case when run.awaits_upstream then (
        select ${other("u")} from changeset_order s
          join changeset_member m on m.changeset_id = s.changeset_id and m.workspace_id = s.after_id join run u on u.id = m.run_id
        where s.changeset_id = run.changeset_id and s.workspace_id = run.workspace_id and u.finished_at is null
        order by m.wave, u.id limit 1
      ) end as upstream,
      approved.first as approved, approved.count as approved_count,
      case when queued.position > 1 then (
        select ${other("q")} from run q where ${QUEUED_BEFORE} and (q.scheduled_at is null or q.scheduled_at <= ${times.at})
        order by q.priority desc, q.number limit 1
      ) end as queued, queued.position as queued_position,
      (select name from actor where actor.id = workspace.lock_actor_id) as lock_actor,
      (select l.number from run l where l.id = workspace.lock_run_id) as lock_run,
      d.offered, d.reachable, ${isDriftLimited("d")} as limited, d.since,
      case when not d.reachable
        then (select count(*) from dispatch o where o.organization_id = d.organization_id and not o.reachable
          and o.pool_id is not distinct from d.pool_id and o.labels = d.labels
          and (o.pool_id is not null or o.labels <> '{}')
          and (o.class, -o.priority, o.turn) <= (d.class, -d.priority, d.turn))
        when d.offered
        then (select count(*) from dispatch o where o.offered
          and (o.class, -o.priority, o.turn) <= (d.class, -d.priority, d.turn))
        else (select count(*) from dispatch o where o.organization_id = d.organization_id and not o.offered
          and o.reachable and (o.class, -o.priority, o.turn) <= (d.class, -d.priority, d.turn))
      end as place,
      (select count(*) from job where job.organization_id = run.organization_id and job.ended_at is null) as busy,
      (select count(*) from dispatch o where o.organization_id = run.organization_id and o.offered
        and o.run_id <> run.id) as promised,
      pool.name as pool, workspace.runner_labels as labels, runners.present, runners.draining, runners.offline,
      runners.draining_since, runners.offline_since,
      hold.ms as hold_ms, job.ms as job_ms
    from unnest(${ids}::text[], ${mayApply}::boolean[]) as asked (id, may_apply)
    join run on run.id = asked.id
    join organization on organization.id = run.organization_id
    join workspace on workspace.id = run.workspace_id
    left join runner_pool pool on pool.id = workspace.runner_pool_id
    left join dispatch d on d.run_id = run.id
    cross join lateral (
      select count(*), (array_agg(${other("a")} order by (a.status = ${STATUS_SQL.approved}) desc, a.priority desc, a.number))[1] as first
      from run a where ${approvedBefore({ at: times.at, mayApply: sql.raw("asked.may_apply") })}
    ) approved
    cross join lateral (
      select count(*) + 1 as position from run q
      where ${QUEUED_BEFORE} and (q.scheduled_at is null or q.scheduled_at <= ${times.at})
    ) queued
    cross join lateral (
      select case when count(*) >= ${ESTIMATE_FROM_RUNS} then percentile_cont(0.5) within group (order by took) end as ms
      from (select ${milliseconds("h.finished_at - h.started_at")} as took from run h
        where h.workspace_id = run.workspace_id and h.finished_at is not null and h.started_at is not null
          and h.kind <> 'PLAN'
        order by h.finished_at desc limit ${ESTIMATE_BY_RUNS}) h
    ) hold
    cross join lateral (${medianOfJobs("run.organization_id")}) job
    cross join lateral (${supply(times)}) runners
  `.execute(reader.sql);
  return inOrder(ids, rows, (row) => row.id).map((row) => (row === null ? null : toDetails(row)));
}

/** The runners that may take `run`, by how they are. */
function supply({ runnersSince, knownSince }: { runnersSince: string; knownSince: string }) {
  return sql`
    select count(*) filter (where seen and not drained) as present,
      count(*) filter (where seen and drained) as draining, count(*) filter (where not seen) as offline,
      max(asked) filter (where seen and drained) as draining_since, max(at) filter (where not seen) as offline_since
    from (select r.last_seen_at >= ${runnersSince} as seen, r.draining or r.drain_requested_at is not null as drained,
        r.drain_requested_at as asked, r.last_seen_at as at
      from runner r left join runner_pool p on p.id = r.pool_id
      where r.revoked_at is null and p.deleted_at is null and r.last_seen_at >= ${knownSince}
        and ${runnerTakes("run.organization_id", "workspace.runner_pool_id", "workspace.runner_labels")}) r`;
}

/** A run as text: `toOther` reads it. */
function other(table: string) {
  return sql.raw(
    `${table}.id || ' ' || ${table}.number || ' ' || to_char(coalesce(${table}.started_at, ${table}.status_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  );
}

function toOther(text: string | null): OtherRun | null {
  const [id = "", number = "", since = ""] = text?.split(" ") ?? [];
  return text === null ? null : { id, number: Number(number), since };
}

function toDetails(row: Row): WaitingRunDetails {
  const { offered, reachable, limited, since, pool, labels, present, draining, offline } = row;
  return {
    holder: toOther(row.holder),
    upstream: toOther(row.upstream),
    approved: toOther(row.approved),
    approvedCount: row.approved_count,
    queued: toOther(row.queued),
    queuedPosition: row.queued_position,
    locker: { actorName: row.lock_actor, runNumber: row.lock_run },
    place:
      offered === null || since === null
        ? null
        : { offered, reachable: reachable !== false, limited: limited === true, since, position: row.place },
    organization: { busy: row.busy, promised: row.promised, limit: row.concurrency_limit },
    runners: {
      pool,
      labels,
      present,
      draining,
      offline,
      drainingSince: row.draining_since,
      offlineSince: row.offline_since,
    },
    history: { holdMs: row.hold_ms, jobMs: row.job_ms },
  };
}
