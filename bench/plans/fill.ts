import type { Client } from "pg";
import { POLICY_STATEMENTS } from "./fill-policies.ts";
import { TRIGGER_STATEMENTS } from "./fill-triggers.ts";

export const WEBHOOK_ID = "hook_00000000000000000000000000";

const RUNS = "(select * from run order by id desc limit $COUNT) r";
const ACTOR = "(select min(id) from actor)";
const FILLED = [
  "approval",
  "changeset",
  "changeset_member",
  "check_report",
  "dispatch",
  "external_check_result",
  "check_request",
  "feed_entry",
  "feed_head",
  "job",
  "plan",
  "plan_document",
  "promotion",
  "rejected_command",
  "run_progress",
  "run_scan",
  "test_report",
  "verification",
  "webhook_delivery",
  "workspace_event",
];

/** Tables that the data set leaves empty, or nearly so, with what an installation of its size has in them. */
const STATEMENTS = [
  "set session_replication_role = replica",
  `insert into feed_entry (organization_id, position, workspace_id, run_id, version)
    select r.organization_id, row_number() over (partition by r.organization_id order by e.run_id, e.version),
      r.workspace_id, e.run_id, e.version
    from ${RUNS} join run_event e on e.run_id = r.id`,
  `update feed_head h set position = (select max(position) from feed_entry f where f.organization_id = h.organization_id)`,
  // One in a hundred is at work.
  `insert into job (id, claim_id, run_id, organization_id, workspace_id, leg, attempt, runner_id, claimed_at, expires_at,
      ended_at)
    select 'job_' || substr(r.id, 5), r.id, r.id, r.organization_id, r.workspace_id, 'PLAN', 1,
      (select min(id) from runner), r.created_at, r.created_at, case when r.number % 100 > 0 then r.finished_at end
    from ${RUNS} where r.finished_at is not null`,
  // Something waits in every workspace; a few have places, and there are more.
  `insert into dispatch (run_id, organization_id, workspace_id, class, priority, since, offered, labels)
    select id, organization_id, workspace_id, 1, 0, created_at, turn <= 2, (case when turn % 20 = 0 then '{gpu}' else '{}' end)::text[]
    from (select r.*, row_number() over (partition by organization_id order by id) as turn
      from (select distinct on (workspace_id) r.* from ${RUNS}) r) r`,
  `update organization o set concurrency_limit = 5 + (select count(*) from job
    where job.organization_id = o.id and job.ended_at is null)`,
  `insert into plan select (jsonb_populate_record(p, jsonb_build_object('id', 'plan_' || substr(r.id, 5), 'run_id', r.id))).*
    from plan p, ${RUNS} where p.id = (select min(id) from plan)
      and not exists (select from plan where plan.run_id = r.id)`,
  `insert into plan_document (plan_id, blob_id, raw_bytes, truncated, created_at)
    select p.id, p.archive_blob_id, 100000, '{}', p.created_at from plan p
      where p.run_id in (select id from ${RUNS}) and not exists (select from plan_document d where d.plan_id = p.id)`,
  `insert into approval (id, run_id, gate, decision, actor_id, plan_version, plan_digest, at, approver_kind, team_ids,
      present)
    select 'appr_' || substr(r.id, 5), r.id, 'APPLY', 'APPROVED', ${ACTOR}, 1, '', r.created_at, 'PERSON', '{}', false
    from ${RUNS}`,
  `insert into rejected_command (at, actor_id, command, subject_id, code, message)
    select r.created_at, ${ACTOR}, 'approveRun', r.id, 'RUN_STATE_CONFLICT', '' from ${RUNS}`,
  `insert into run_progress (run_id, phase, job_id, sequence, total, done, failed, current, current_count, updated_at,
      reported_at)
    select r.id, 'PLAN', 'job_' || substr(r.id, 5), 1, 1, 1, 0, '[]', 0, r.created_at, r.created_at from ${RUNS}`,
  `insert into workspace_event (workspace_id, at, actor_id, fields)
    select r.workspace_id, r.created_at, ${ACTOR}, '{name}' from ${RUNS}`,
  `insert into webhook (id, organization_id, url, events, secret_sealed, created_by, created_at)
    select '${WEBHOOK_ID}', id, '', '{}', '\\x00', ${ACTOR}, now() from organization limit 1`,
  `insert into webhook_delivery (id, webhook_id, event, payload, state, created_at, finished_at)
    select 'dlv_' || substr(r.id, 5), '${WEBHOOK_ID}', 'run.ended', '{}',
      case when r.number % 50 = 0 then 'FAILED' else 'DELIVERED' end, r.created_at, r.created_at from ${RUNS}`,
  `insert into external_check (id, organization_id, name, url, stages, level, on_error, selector, progress_seconds,
      total_seconds, created_by, created_at)
    select 'chk_' || substr(id, 5), id, 'scanner', '', '{POST_PLAN}', 'ADVISORY', 'FAIL_OPEN',
      '{"labels": [], "names": [], "kinds": null, "workspaceIds": [], "excludedWorkspaceIds": []}', 600, 3600, ${ACTOR}, now()
    from organization`,
  `insert into probe (workspace_id, name, position, kind, use, settings, secrets_sealed)
    select id, 'web', 0, 'HTTP', 'BOTH', '{}', '\\x00' from workspace`,
  // One in a thousand is being probed; one in ten has check blocks, tests and a scan.
  `insert into verification (id, run_id, status, settings, created_at, started_at, ends_at, finished_at, due_at)
    select 'ver_' || substr(r.id, 5), r.id, case when hashtext(r.id) % 1000 = 0 then 'RUNNING' else 'PASSED' end, '{}',
      r.created_at, r.created_at, r.created_at + interval '5 minutes',
      case when hashtext(r.id) % 1000 <> 0 then r.created_at end, case when hashtext(r.id) % 1000 = 0 then r.created_at end
    from ${RUNS} where r.kind = 'DEPLOY'`,
  `insert into check_report (run_id, after_apply, plan_version, workspace_id, count, failed_count, blocks)
    select r.id, after, r.plan_version, r.workspace_id, 1, 0, '[]' from ${RUNS}, unnest('{true,false}'::boolean[]) after
    where r.number % 10 = 0`,
  `insert into test_report (run_id, report) select r.id, '{}' from ${RUNS} where r.number % 10 = 0`,
  `insert into run_scan (run_id, scan) select r.id, '{}' from ${RUNS} where r.number % 10 = 0`,
  `insert into probe_target (workspace_id, probe, number, weight, pool, shard, address, request_sealed, interval_ms, state,
      status, created_at)
    select id, 'web', 0, 'REQUIRED', 'public', abs(hashtext(id)) % 256, 'a', '\\x00', 30000, '{}', 'HEALTHY', now()
    from workspace`,
  `insert into probe_shard (pool, shard, left_at) select distinct pool, shard, now() from probe_target`,
  `insert into health_bucket (bucket_at, target_id, fence, samples, bad, held, packed)
    select now() - n * interval '5 minutes', id, 1, 10, 0, 0, '\\x00' from probe_target, generate_series(1, 12) n`,
  // Its targets were found; the triggers of later rows make it stale for a few.
  `update workspace_health set stale = false`,
  // One in a thousand is open.
  `insert into external_check_result (id, check_id, run_id, stage, plan_version, level, on_error, progress_seconds,
      total_seconds, status, created_at, began_at, finished_at, due_at)
    select 'chkr_' || substr(r.id, 5), 'chk_' || substr(r.organization_id, 5), r.id, 'POST_PLAN', 1, 'ADVISORY', 'FAIL_OPEN',
      600, 3600, case when hashtext(r.id) % 1000 = 0 then 'RUNNING' else 'PASSED' end, r.created_at, r.created_at,
      case when hashtext(r.id) % 1000 <> 0 then r.created_at end, case when hashtext(r.id) % 1000 = 0 then r.created_at end
    from ${RUNS}`,
  // Some of a pool that has no runners any more.
  `insert into runner_pool (id, organization_id, name, reserved, created_at)
    select 'pool_' || substr(id, 5), id, 'inside', false, now() from organization`,
  `insert into check_request (id, pool_id, result_id, round, offered_at)
    select 'chkq_' || substr(e.id, 6), 'pool_' || substr(c.organization_id, 5), e.id, 1, e.created_at
    from external_check_result e join external_check c on c.id = e.check_id where e.due_at is not null`,
  // Each tenth run is that of a push; one in a hundred of those soaks, and the others were promoted.
  `insert into changeset (id, organization_id, source, title, kind, trigger, created_by, created_at, due, passed_at)
    select 'cs_' || substr(r.id, 5), r.organization_id, 'PUSH', '', 'DEPLOY', 'PUSH', ${ACTOR}, r.created_at, false, r.finished_at
    from ${RUNS} where r.number % 10 = 0`,
  `insert into changeset_member (changeset_id, workspace_id, run_id)
    select 'cs_' || substr(r.id, 5), r.workspace_id, r.id from ${RUNS} where r.number % 10 = 0`,
  `insert into promotion_pipeline (id, organization_id, name, stages, owner_id, created_at)
    select 'pipe_' || substr(id, 5), id, 'all', '[]', ${ACTOR}, now() from organization`,
  `insert into promotion (origin_id, pipeline_id, stage, organization_id, passed_at, repositories, due_at, changeset_id)
    select c.id, 'pipe_' || substr(c.organization_id, 5), 'prod', c.organization_id, coalesce(c.passed_at, c.created_at),
      array['https://git.example.com/' || m.workspace_id], case when n % 100 = 0 then c.created_at end,
      case when n % 100 > 0 then c.id end
    from (select c.*, row_number() over (order by id) as n from changeset c) c join changeset_member m on m.changeset_id = c.id`,
  ...FILLED.map((table) => `vacuum analyze ${table}`),
  ...POLICY_STATEMENTS,
  ...TRIGGER_STATEMENTS,
];

const MOST = 100_000;

export async function fillRest(client: Client, runCount: number): Promise<void> {
  for (const statement of STATEMENTS) {
    await client.query(statement.replace("$COUNT", String(Math.min(MOST, runCount))));
  }
}
