/** What must be true of the runs of any database, whatever was done to it: read from the rows alone. */
import type { Data } from "./api.ts";

const TERMINAL = `('FINISHED', 'FAILED', 'TIMED_OUT', 'REJECTED', 'DISCARDED', 'CANCELED', 'STOPPED', 'SKIPPED')`;
const BUSY = `('PREPARING', 'INITIALIZING', 'PLANNING', 'APPLYING', 'PERFORMING')`;
const WAITING = `('READY', 'REPLAN_REQUESTED', 'CONFIRMED')`;

/** The statuses of every run in order, each with the one before. */
const CHANGES = `(select e.run_id, e.version, e.at, e.to_status, r.kind, r.workspace_id, r.organization_id,
    lag(e.to_status) over (partition by e.run_id order by e.version) as from_status, e.data ->> 'from' as said_from
  from run_event e join run r on r.id = e.run_id where e.to_status is not null)`;

/** When each run had its workspace, where workspaces are kept at the gates. */
const HOLDS = `(select r.id, r.workspace_id, min(c.at) as since, r.finished_at as until
  from run r join ${CHANGES} c on c.run_id = r.id
  where c.to_status in ('READY', 'AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL', 'CONFIRMED') and r.kind <> 'PLAN'
    and r.workspace_id in (select id from workspace where lock_scope = 'RUN')
  group by r.id)`;

/** Each gives the rows that break its promise. */
const INVARIANTS: Record<string, string> = {
  "a change of status that the table does not know": `select c.run_id, c.from_status, c.to_status from ${CHANGES} c
    where not exists (select from run_status_change k where k.kind = c.kind
      and k.from_status = coalesce(c.from_status, '') and k.to_status = c.to_status)`,
  "a change of status that says it came from elsewhere": `select c.run_id, c.from_status, c.said_from from ${CHANGES} c
    where c.from_status is distinct from c.said_from`,
  "a status without its event": `select r.id, r.status, last.to_status from run r left join lateral
    (select to_status from run_event e where e.run_id = r.id and to_status is not null order by version desc limit 1) last
    on true where last.to_status is distinct from r.status`,
  "versions with gaps": `select r.id from run r join run_event e on e.run_id = r.id group by r.id
    having count(*) <> r.version or min(e.version) <> 1 or max(e.version) <> r.version`,
  "something after the end": `select e.run_id from run_event e join run_event over_ on over_.run_id = e.run_id
    and over_.to_status in ${TERMINAL} and e.version > over_.version`,
  "an apply twice": `select run_id from run_event where to_status = 'APPLYING' group by run_id having count(*) > 1`,
  "two that have a workspace at a time": `select a.id, b.id as other from ${HOLDS} a join ${HOLDS} b
    on b.workspace_id = a.workspace_id and b.id > a.id
    and a.since < coalesce(b.until, 'infinity') and b.since < coalesce(a.until, 'infinity')`,
  "two leases of a run at a time": `select a.run_id from job a join job b on b.run_id = a.run_id and b.id > a.id
    and a.claimed_at < coalesce(b.ended_at, 'infinity') and b.claimed_at < coalesce(a.ended_at, 'infinity')`,
  "a lease without work, or work without a lease": `select r.id, r.status, j.id as job from run r
    full join (select * from job where ended_at is null) j on j.run_id = r.id
    where (r.status in ${BUSY}) is distinct from (j.id is not null)`,
  "dispatched, but not to be claimed": `select d.run_id, r.status from dispatch d join run r on r.id = d.run_id
    join workspace w on w.id = r.workspace_id
    where r.status not in ${WAITING} or w.paused or (r.status = 'CONFIRMED' and w.lock_reason is not null)`,
  "work of a runner that it could not take": `select j.id, r.name from job j join runner r on r.id = j.runner_id
    join workspace w on w.id = j.workspace_id left join runner_pool p on p.id = r.pool_id
    where j.ended_at is null and not runner_takes(r.pool_id, p.organization_id, p.reserved, r.labels, w.organization_id,
      w.runner_pool_id, w.runner_labels)`,
  "has its workspace and waits for no runner's sake": `select r.id, r.status from run r
    join workspace w on w.id = r.workspace_id
    where r.holds_workspace and r.status in ('READY', 'REPLAN_REQUESTED') and not w.paused
      and not exists (select from dispatch d where d.run_id = r.id)`,
  "a place that is free although somebody waits": `select o.id from organization o
    where exists (select from dispatch d where d.organization_id = o.id and not d.offered and d.reachable)
      and (select count(*) from job where organization_id = o.id and ended_at is null)
        + (select count(*) from dispatch d where d.organization_id = o.id and d.offered) < o.concurrency_limit`,
};

/** Where the limit of an organization never changed: the instants at which more of its runs had a runner. */
export const LIMIT_EXCEEDED = `select j.id, o.concurrency_limit, count(*) as live,
    json_agg(json_build_object('id', other.id, 'claim', other.claim_id, 'leg', other.leg, 'attempt', other.attempt,
      'from', other.claimed_at, 'to', other.ended_at, 'expires', other.expires_at)) as jobs
  from job j
  join job other on other.organization_id = j.organization_id and other.claimed_at <= j.claimed_at
    and coalesce(other.ended_at, 'infinity') > j.claimed_at
  join organization o on o.id = j.organization_id group by j.id, o.concurrency_limit
  having count(*) > o.concurrency_limit`;

/** Says what is broken, and by which rows; empty where all is well. */
export async function findViolations(
  query: (text: string) => Promise<Data[]>,
  more: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, text] of Object.entries({ ...INVARIANTS, ...more })) {
    const rows = await query(`${text} limit 5`);
    if (rows.length > 0) found.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return found;
}
