/** A queue as it is in an installation with much to do, made by plain SQL: consistent, but without going through it. */
import { Client, type PoolConfig } from "pg";
import { ADMIN_ACTOR_ID, DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Cipher } from "../../src/persistence/installation/cipher.ts";
import { sealRunVariables } from "../../src/domain/variables/run-variables.ts";

/** Organizations, every second of which has all its places taken. */
export const ORGANIZATIONS = 100;
const LIMIT = 3;
const WORKSPACES_EACH = 100;
/** Workspaces at the end of a full organization that have its jobs; nothing is queued in them. */
const QUEUEING_EACH = WORKSPACES_EACH - LIMIT;
/** Runs of a workspace whose variables can be decrypted: more than a benchmark claims in its time. */
const SEALED_EACH = 5;
const SEALED_AT_ONCE = 5000;

/** The source of the runs of a workspace. */
export function sourceOf(workspaceId: string): string {
  return workspaceId.replace("ws_", "blob_");
}

/** So many runs wait, evenly over the organizations and over the workspaces of each; all rows that a run has there. */
export async function seedQueue(connection: PoolConfig, cipher: Cipher, queued: number): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    // Triggers and foreign keys would check row by row what follows from these few statements.
    await client.query("set session_replication_role = replica");
    await client.query("set synchronous_commit = off");
    await client.query("begin");
    const indexes = await dropIndexes(client);
    await client.query(PLACES, [ORGANIZATIONS, LIMIT, DEFAULT_ORGANIZATION_ID]);
    await client.query(PROJECTS);
    await client.query(WORKSPACES, [WORKSPACES_EACH]);
    await client.query(BLOBS);
    await client.query(RUNS, [queued, ORGANIZATIONS, QUEUEING_EACH, ADMIN_ACTOR_ID]);
    await client.query(BUSY_RUNS, [QUEUEING_EACH, ADMIN_ACTOR_ID]);
    await client.query(JOBS);
    await client.query(NUMBERS);
    for (const statement of [QUEUED_EVENTS, READY_EVENTS, LOG_HEADS, DISPATCH]) await client.query(statement);
    await client.query(OFFERS, [LIMIT]);
    for (const index of indexes) await client.query(index);
    await client.query("commit");
    await sealVariables(client, cipher);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

/** Those of runs that hold no constraint up: made at the end, they take a tenth of the time. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = 'run'::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

const PLACES = `with made as (
    insert into organization (id, slug, name, concurrency_limit, created_at)
    select 'org_' || lpad(n::text, 26, '0'), 'o' || n, 'o' || n, $2, now() from generate_series(1, $1::integer) n
    returning id
  ), shared as (
    insert into runner (id, key, name, version, instance, last_seen_at)
    values ('rnr_00000000000000000000000001', 'busy', 'busy', '0', 'process', now())
  )
  insert into feed_head (organization_id) select id from made where id <> $3`;

const PROJECTS = `
  insert into project (id, organization_id, name, path, created_at)
  select default_project(id), id, 'default', array[default_project(id)], created_at from organization
  on conflict do nothing`;

const WORKSPACES = `
  insert into workspace (id, organization_id, project_id, name, source, plan_approval, auto_apply, created_at)
  select 'ws_' || lpad(((right(o.id, 26)::bigint - 1) * 1000 + n)::text, 26, '0'), o.id, default_project(o.id), 'w' || n,
    '{"type": "directory", "path": "/nowhere"}', 'ALWAYS', 'NEVER', now()
  from organization o cross join generate_series(0, $1::integer - 1) n where o.slug <> 'default'`;

const BLOBS = `
  insert into blob (id, kind, workspace_id, digest, size, created_at)
  select 'blob_' || right(id, 26), 'SOURCE', id, md5(id) || md5(id), 1000, now() from workspace`;

const RUN_COLUMNS = `id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by, source_blob_id,
    variables_sealed, version, status_version, holds_workspace, created_at, status_at`;

/** Round robin: run n is of organization n, of its next workspace. The first one of each workspace is READY. */
const RUNS = `
  insert into run (${RUN_COLUMNS})
  select 'run_' || lpad(n::text, 26, '0'), o.id, default_project(o.id), 'ws_' || w.place, w.number, 'DEPLOY',
    case w.number when 1 then 'READY' else 'QUEUED' end, 'PLAN', 'API', $4, 'blob_' || w.place, '',
    w.version, w.version, w.number = 1, now() - interval '1 hour', now() - interval '1 hour'
  from generate_series(0, $1::integer - 1) n
  cross join lateral (select n % $2::integer as org, n / $2::integer as turn) t
  cross join lateral (select 'org_' || lpad((t.org + 1)::text, 26, '0') as id) o
  cross join lateral (select t.turn / $3::integer + 1 as number,
    case when t.turn < $3::integer then 2 else 1 end as version,
    lpad((t.org * 1000 + t.turn % $3::integer)::text, 26, '0') as place) w`;

const BUSY_RUNS = `
  insert into run (${RUN_COLUMNS}, started_at, attempt)
  select 'run_9' || right(w.id, 25), w.organization_id, w.project_id, w.id, 1, 'DEPLOY', 'PREPARING', 'PLAN', 'API', $2,
    'blob_' || right(w.id, 26), '', 3, 3, true, now(), now(), now(), 1
  from workspace w
  where right(w.id, 26)::bigint % 1000 >= $1::integer and (right(w.id, 26)::bigint / 1000) % 2 = 1`;

const JOBS = `
  insert into job (id, claim_id, run_id, organization_id, workspace_id, leg, attempt, runner_id, claimed_at, expires_at)
  select 'job_' || right(id, 26), 'busy ' || id, id, organization_id, workspace_id, 'PLAN', 1,
    'rnr_00000000000000000000000001', now(), now() + interval '1 day'
  from run where status = 'PREPARING'`;

const NUMBERS = `
  update workspace set last_run_number = r.count
  from (select workspace_id, count(*) from run group by 1) r where r.workspace_id = workspace.id`;

const event = (version: number, from: string, to: string, where: string): string => `
  insert into run_event (run_id, version, type, at, actor_id, to_status, data)
  select id, ${version}, 'STATUS_CHANGED', created_at, created_by, '${to}',
    '{"from": ${from}, "to": "${to}", "reason": null}'::jsonb from run where ${where}`;

const QUEUED_EVENTS = event(1, "null", "QUEUED", "true");
const READY_EVENTS = `${event(2, '"QUEUED"', "READY", "version > 1")} union all
  select id, 3, 'STATUS_CHANGED', created_at, created_by, 'PREPARING',
    '{"from": "READY", "to": "PREPARING", "reason": null}'::jsonb from run where version > 2`;

const LOG_HEADS = `insert into log_head (run_id, last_line) select id, 0 from run`;

const DISPATCH = `
  insert into dispatch (run_id, organization_id, workspace_id, class, priority, since)
  select id, organization_id, workspace_id, 1, 0, status_at from run where status = 'READY' order by id`;

/** The free places, to those who come first. */
const OFFERS = `
  update dispatch set offered = true where run_id in (
    select run_id from (
      select run_id, organization_id, row_number() over (partition by organization_id order by turn) as place
      from dispatch) d
    where place <= $1 and not exists (select from job where job.organization_id = d.organization_id))`;

/** Those of runs that may be claimed; in steps, as they are sealed here. */
async function sealVariables(client: Client, cipher: Cipher): Promise<void> {
  const { rows } = await client.query<{ id: string }>({
    text: `select r.id from run r where r.number <= $1
      and not exists (select from job where job.organization_id = r.organization_id and ended_at is null)`,
    values: [SEALED_EACH],
  });
  for (let start = 0; start < rows.length; start += SEALED_AT_ONCE) {
    const ids = rows.slice(start, start + SEALED_AT_ONCE).map(({ id }) => id);
    const sealed = ids.map((id) => sealRunVariables({ cipher }, id, []));
    await client.query(
      `update run set variables_sealed = given.sealed
       from unnest($1::text[], $2::bytea[]) as given (id, sealed) where run.id = given.id`,
      [ids, sealed],
    );
  }
}
