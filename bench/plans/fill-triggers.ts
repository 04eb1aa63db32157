/** Rows of what starts runs: hosts, repositories, changes of refs, changesets, schedules, in the proportions of a large installation. */

const RUNS = "(select * from run order by id desc limit $COUNT) r";
const ACTOR = "(select min(id) from actor)";
const HOSTS = 10;
/** Repositories of an organization at most. */
const REPOSITORIES = 1000;
/** Runs of a changeset. */
const PER_CHANGESET = 10;

const REPOSITORY = (number: string): string => `'repo_' || lpad(((${number}) % ${REPOSITORIES})::text, 6, '0')`;
const CHANGESET = (number: string): string => `'cs_' || lpad(((${number}) / ${PER_CHANGESET})::text, 8, '0')`;
/** The first of the ten that each get. */
export const FILLED_IDS = {
  gitHostId: "ghost_000000",
  repositoryId: "repo_000001",
  changesetId: "cs_00000001",
  refChangeId: "refc_00000001",
  scheduleId: "sch_000001",
  inboundHookId: "inh_000001",
  pipelineId: "pipe_000001",
} as const;

/** The newest runs by number. */
const NUMBERED = `(select r.*, row_number() over (order by id) as place from ${RUNS}) r`;
const WORKSPACES = "(select w.*, row_number() over (order by id) as place from workspace w) w";

export const TRIGGER_STATEMENTS = [
  `insert into git_host (id, organization_id, kind, name, url, credential, credential_sealed, hook_path,
      hook_secret_sealed, created_by, created_at)
    select 'ghost_' || lpad(n::text, 6, '0'), (select min(id) from organization), 'GITHUB', 'host-' || n,
      'https://host-' || n || '.example.com', 'NONE', '\\x00', 'path-' || n, '\\x00', ${ACTOR}, now()
    from generate_series(0, ${HOSTS - 1}) n`,
  `insert into repository (id, organization_id, git_host_id, name, url, remote_id, created_by, created_at, last_change)
    select ${REPOSITORY("n")}, (select min(id) from organization), 'ghost_' || lpad((n % ${HOSTS})::text, 6, '0'),
      'acme/r-' || n, 'https://host-' || n % ${HOSTS} || '.example.com/acme/r-' || n || '.git', n::text, ${ACTOR}, now(), 1000
    from generate_series(0, ${REPOSITORIES - 1}) n`,
  `insert into repository_look (repository_id, next_at, wanted, done, begun_at, ended_at)
    select id, now() + interval '1 hour', 10, 10, now(), now() from repository`,
  `update workspace w set labels = array['env:' || (array['dev', 'stage', 'prod'])[p.place % 3 + 1], 'team:' || p.place % 40],
      trigger = '{"branch":"main"}'::jsonb,
      source = jsonb_build_object('type', 'git', 'url', 'https://host-' || p.place % ${HOSTS} || '.example.com/acme/r-'
        || p.place % ${REPOSITORIES} || '.git', 'branch', 'main', 'path', 'live/' || p.place, 'repositoryId',
        ${REPOSITORY("p.place")})
    from (select id, row_number() over (order by id) as place from workspace) p where p.id = w.id`,
  `insert into git_ref (repository_id, ref, oid, seen_at)
    select r.id, 'refs/tags/v' || n, md5(n::text) || '00000000', now() from repository r, generate_series(0, 49) n`,
  `insert into git_ref (repository_id, ref, oid, seen_at)
    select r.id, 'refs/heads/main', md5(r.id) || '00000000', now() from repository r`,
  `insert into changeset (id, organization_id, source, title, kind, trigger, created_by, created_at, due)
    select ${CHANGESET("place")}, min(organization_id), 'PUSH', 'Change', 'DEPLOY', 'PUSH', ${ACTOR}, min(created_at),
      min(place) % 5000 = 0
    from ${NUMBERED} group by 1`,
  // Two in a hundred thousand wait for a decision.
  `insert into ref_change (id, repository_id, seq, ref, before, after, found_by, found_at, decide_at, decided_at, changeset_id)
    select 'refc_' || lpad(place::text, 8, '0'), ${REPOSITORY("place")}, place / ${REPOSITORIES} + 1,
      case when place % 10 = 0 then 'refs/tags/v' || place else 'refs/heads/main' end, md5(place::text), md5(id), 'HOOK',
      created_at, case when place % 50000 = 1 then created_at end, case when place % 50000 <> 1 then created_at end,
      ${CHANGESET("place")}
    from ${NUMBERED}`,
  `insert into trigger_decision (ref_change_id, workspace_id, outcome, reason, message, inputs_digest, at)
    select 'refc_' || lpad(place::text, 8, '0'), workspace_id, 'RUN_CREATED', 'AFFECTED', '', md5(id), created_at
    from ${NUMBERED}`,
  `insert into changeset_member (changeset_id, workspace_id, wave, cause, run_id)
    select distinct on (1, 2) ${CHANGESET("place")}, workspace_id, (place % 3)::int, '{"type":"MANUAL"}'::jsonb, id
    from ${NUMBERED}`,
  `update run set changeset_id = m.changeset_id, inputs_digest = md5(run.id),
      cause = jsonb_build_object('type', 'PUSH', 'ref', 'refs/heads/main', 'commit', md5(run.id))
    from changeset_member m where m.run_id = run.id`,
  `insert into changeset_order (changeset_id, workspace_id, after_id)
    select m.changeset_id, m.workspace_id, b.workspace_id from changeset_member m join changeset_member b
      on b.changeset_id = m.changeset_id and b.wave = m.wave - 1`,
  `insert into changeset_event (changeset_id, at, actor_id, change)
    select id, created_at, ${ACTOR}, change from changeset, unnest('{CREATED,APPLIED}'::text[]) change`,
  `insert into run_upstream (run_id, category, key, output, state_version_id, value_hash)
    select id, 'ENGINE', 'vpc_id', 'vpc_id', 'sv_' || workspace_id, '\\x00' from ${RUNS}`,
  `insert into workspace_dependency (upstream_id, downstream_id)
    select a.id, b.id from ${WORKSPACES.replaceAll(/\bw$/g, "a")} join ${WORKSPACES.replaceAll(/\bw$/g, "b")} on b.place = a.place + 1
    where a.place % 5 > 0 and a.organization_id = b.organization_id or a.place % 5 > 2`,
  `insert into schedule (id, organization_id, workspace_id, name, cron, time_zone, spread_minutes, misfire, action, enabled,
      owner_id, created_at, next_at, last_changeset_id)
    select 'sch_' || lpad(place::text, 6, '0'), organization_id, id, 'nightly', '0 2 * * *', 'UTC', 0, 'ONCE', 'DETECT_DRIFT',
      true, ${ACTOR}, now(), now() + interval '1 day', ${CHANGESET("place")} from ${WORKSPACES}`,
  `insert into schedule_firing (schedule_id, due_at, at, changeset_id)
    select s.id, now() - n * interval '1 day', now(), s.last_changeset_id from schedule s, generate_series(1, 30) n`,
  `insert into inbound_hook (id, organization_id, name, workspace_ids, kind, mapping, secret_sealed, owner_id, created_at)
    select 'inh_' || lpad(n::text, 6, '0'), (select min(id) from organization), 'hook-' || n, '{}', 'PLAN', '{}', '\\x00',
      ${ACTOR}, now() from generate_series(0, 99) n`,
  `insert into inbound_delivery (hook_id, delivery_id, at)
    select h.id, n::text, now() - n * interval '1 minute' from inbound_hook h, generate_series(1, 500) n`,
  `insert into hint (git_host_id, delivery_id, event, remote_id, at)
    select 'ghost_' || lpad((n % ${HOSTS})::text, 6, '0'), n::text, 'push', (n % ${REPOSITORIES})::text,
      now() - n * interval '6 seconds' from generate_series(1, 100000) n`,
  `insert into source_inputs (workspace_id, digest, commit, folders, paths, unresolved, created_at)
    select workspace_id, md5(id), md5(id), '{live/a,modules/b}', '{}', '{}', created_at from ${RUNS}`,
  `insert into reported_folder (workspace_id, path, run_id, reported_at)
    select id, 'modules/x', 'run', now() from workspace`,
  `insert into blob_modules (mirror, oid, scanner, scan, scanned_at)
    select 'mirror-' || n % 100, md5(n::text), 1, '{}', now() from generate_series(1, 100000) n`,
  `insert into promotion_pipeline (id, organization_id, name, stages, owner_id, created_at)
    select 'pipe_' || lpad(n::text, 6, '0'), (select min(id) from organization), 'pipeline-' || n, '[]', ${ACTOR}, now()
    from generate_series(0, 99) n`,
  `insert into promotion (origin_id, pipeline_id, stage, organization_id, passed_at, repositories, due_at)
    select c.id, 'pipe_' || lpad((row_number() over (order by c.id) % 100)::text, 6, '0'), 'stage', organization_id, created_at,
      '{}', case when row_number() over (order by c.id) % 1000 = 0 then created_at end from changeset c`,
  // With samples of the usual size, statements of nearly equal cost would go other ways each time.
  "set default_statistics_target = 1000",
  ...[
    "workspace",
    "run",
    "git_host",
    "repository",
    "repository_look",
    "git_ref",
    "changeset",
    "ref_change",
    "trigger_decision",
    "changeset_event",
    "changeset_member",
    "changeset_order",
    "workspace_dependency",
    "run_upstream",
    "schedule",
    "schedule_firing",
    "inbound_hook",
    "inbound_delivery",
    "hint",
    "source_inputs",
    "reported_folder",
    "blob_modules",
    "promotion_pipeline",
    "promotion",
  ].map((table) => `vacuum analyze ${table}`),
];
