/** The rows of the data set, made by Postgres itself: numbers in, rows out. */
import { FIRST_RUN_AT_MS, runStepMs, type Shape } from "./ids.ts";

const USERS = 50;
const RUNNERS = 20;
/** Every so many workspaces, the newest run waits for a person and has the workspace. */
const WAITING_EVERY = 50;

/** Derives the properties of a run from its number: `h` is 0 to 99, evenly and without an order. */
const RUN_FACTS = `
  select n, n % w.count as ws, n / w.count + 1 as number, ${FIRST_RUN_AT_MS}::bigint + n * s.step as ms,
    ((n * 2654435761) % 4294967296 >> 16) % 100 as h,
    n >= r.count - w.count and n % w.count % ${WAITING_EVERY} = 0 as waits`;

function facts(shape: Shape): string {
  return `${RUN_FACTS} from generate_series(0, ${shape.runCount - 1}::bigint) n,
    (select ${shape.workspaceCount}::bigint as count) w, (select ${shape.runCount}::bigint as count) r,
    (select ${runStepMs(shape)}::bigint as step) s`;
}

const RUN_ID = "pg_temp.id_of('run', ms, 'run' || n)";
const AT = (seconds: number): string => `to_timestamp((ms + ${seconds * 1000}) / 1000.0)`;
const ORGANIZATION = (shape: Shape, number: string): string => `case when ${number} % ${shape.organizationCount} = 0
  then 'org_00000000000000000000000000'
  else pg_temp.id_of('org', ${FIRST_RUN_AT_MS - 2000}, 'org' || (${number} % ${shape.organizationCount})) end`;
const WORKSPACE = (number: string): string => `pg_temp.id_of('ws', ${FIRST_RUN_AT_MS - 1000}, 'ws' || (${number}))`;
const USER = (number: string): string =>
  `pg_temp.id_of('usr', ${FIRST_RUN_AT_MS - 2000}, 'usr' || (${number}) % ${USERS})`;
const RUNNER = (number: string): string =>
  `pg_temp.id_of('rnr', ${FIRST_RUN_AT_MS - 2000}, 'rnr' || (${number}) % ${RUNNERS})`;

/** Few rows that others refer to. */
export function admissionConditions(shape: Shape): string[] {
  const start = `to_timestamp(${FIRST_RUN_AT_MS / 1000})`;
  const numbers = (count: number): string => `generate_series(0, ${count - 1}) n`;
  return [
    `insert into actor (id, kind, name, created_at)
      select ${USER("n")}, 'USER', 'person-' || n, ${start} from ${numbers(USERS)}`,
    `insert into organization (id, slug, name, concurrency_limit, created_at)
      select ${ORGANIZATION(shape, "n")}, 'org-' || n, 'Organization ' || n, 10, ${start}
      from ${numbers(shape.organizationCount)} where n > 0`,
    `insert into feed_head (organization_id) select id from organization on conflict do nothing`,
    `insert into project (id, organization_id, name, path, created_at)
      select default_project(id), id, 'default', array[default_project(id)], created_at from organization
      on conflict do nothing`,
    `update organization set archive_days = null`,
    `insert into runner (id, key, name, version, instance, slots, last_seen_at)
      select ${RUNNER("n")}, 'runner-' || n, 'runner-' || n, '0.1.0', 'process', 4, ${start} from ${numbers(RUNNERS)}`,
    `insert into workspace (id, organization_id, project_id, name, description, source, plan_approval, auto_apply,
        last_run_number, created_at)
      select ${WORKSPACE("n")}, ${ORGANIZATION(shape, "n")}, default_project(${ORGANIZATION(shape, "n")}), 'workspace-' || lpad(n::text, 6, '0'),
        'Workspace ' || n, '{"type":"directory","path":"/srv/infra"}', 'WHEN_REQUIRED', 'NEVER',
        ${Math.ceil(shape.runCount / shape.workspaceCount)}, ${start}
      from ${numbers(shape.workspaceCount)}`,
  ];
}

export function runs(shape: Shape): string {
  return `insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, trigger, created_by,
      message, revision, variables_sealed, metadata, version, status_version, plan_version, attempt, holds_workspace,
      failure, created_at, status_at, started_at, applying_at, applied_at, finished_at)
    select ${RUN_ID}, ${ORGANIZATION(shape, "ws")}, default_project(${ORGANIZATION(shape, "ws")}), ${WORKSPACE("ws")}, number, 'DEPLOY',
      case when waits then 'AWAITING_APPLY_APPROVAL' when h < 90 then 'FINISHED' when h < 95 then 'FAILED'
        else 'DISCARDED' end,
      case when h < 70 and not waits then 'APPLY' else 'PLAN' end,
      case when waits then null when h < 70 then 'APPLIED' when h < 90 then 'NO_CHANGES' end,
      (array['MANUAL', 'API', 'PUSH'])[n % 3 + 1], ${USER("n")}, 'Change ' || n, substr(md5(n::text) || md5('r' || n), 1, 40),
      '\\x00', case when h % 20 = 0 then jsonb_build_object('ticket', 'T-' || n % 1000) else '{}' end,
      2, 2, case when waits then 1 else 0 end, 1, waits,
      case when h >= 90 and h < 95 and not waits then ${FAILURE} end,
      ${AT(0)}, ${AT(90)}, ${AT(1)}, case when h < 70 and not waits then ${AT(60)} end,
      case when h < 70 and not waits then ${AT(90)} end, case when not waits then ${AT(90)} end
    from (${facts(shape)}) f`;
}

const FAILURE = `'{"code":"PLAN_FAILED","stage":"PLAN","category":"CONFIGURATION_FAILURE","retryable":false,
  "summary":"The plan failed.","message":"Error: Unsupported argument","likelyCause":null,"evidence":[],
  "appliedAddresses":null,"stateUncertain":false}'::jsonb`;

/** Three a run, one after the other. */
export function phases(shape: Shape): string {
  return `insert into phase (id, run_id, kind, attempt, status, runner_id, started_at, finished_at)
    select pg_temp.id_of('phase', ms + 1000 + 30000 * k, 'phase' || n || '.' || k), ${RUN_ID},
      case when h < 70 and not waits then (array['INIT', 'PLAN', 'APPLY'])[k + 1]
        else (array['PREPARE', 'INIT', 'PLAN'])[k + 1] end, 1,
      case when k = 2 and h >= 90 and h < 95 and not waits then 'FAILED' else 'PASSED' end, ${RUNNER("n")},
      to_timestamp((ms + 1000 + 30000 * k) / 1000.0), to_timestamp((ms + 30000 + 30000 * k) / 1000.0)
    from (${facts(shape)}) f, generate_series(0, 2) k`;
}

/** The first and the newest one of each run; a history of ten would make a data set of many gigabytes. */
export function events(shape: Shape): string {
  return `insert into run_event (run_id, version, type, at, actor_id, to_status, data)
    select ${RUN_ID}, v, 'STATUS_CHANGED', case v when 1 then ${AT(0)} else ${AT(90)} end,
      case v when 1 then ${USER("n")} else 'sys_00000000000000000000000000' end,
      case when v = 1 then 'QUEUED' when waits then 'AWAITING_APPLY_APPROVAL' when h < 90 then 'FINISHED'
        when h < 95 then 'FAILED' else 'DISCARDED' end,
      case v when 1 then '{"from":null,"reason":null}'::jsonb else '{"from":"PLANNING","reason":null}' end
    from (${facts(shape)}) f, generate_series(1, 2) v`;
}

export function logHeads(shape: Shape): string {
  return `insert into log_head (run_id, last_line) select ${RUN_ID}, 0 from (${facts(shape)}) f`;
}

/** Inserts the plans of the runs that wait for a person. `$1`: the text, compressed. */
export function plans(shape: Shape): string {
  return `insert into plan (id, run_id, version, digest, engine_name, engine_version, has_changes, complete, additions,
      changes, destructions, replacements, imports, moves, forgets, state_serial, targets, output_changes, text_zstd,
      created_at)
    select pg_temp.id_of('plan', ms + 80000, 'plan' || n), ${RUN_ID}, 1, repeat(md5(n::text), 2), 'terraform', '1.9.0',
      true, true, 1, 0, 0, 0, 0, 0, 0, 0, '{}', '[]', $1, ${AT(80)}
    from (${facts(shape)}) f where waits`;
}
