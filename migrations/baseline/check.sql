-- External checks: services that judge runs by the protocol of HCP's run tasks, and their results.

create table external_check (
  id text primary key,
  organization_id text not null references organization,
  name text not null,
  -- It may contain a token.
  url text not null,
  hmac_key_sealed bytea,
  -- The pool whose runners send the requests; null: the server does.
  via_pool_id text references runner_pool,
  stages text[] not null check (
    stages <> '{}' and stages <@ array['PRE_PLAN', 'POST_PLAN', 'PRE_APPLY', 'POST_APPLY']
  ),
  level text not null check (level in ('ADVISORY', 'SOFT_MANDATORY', 'MANDATORY')),
  on_error text not null check (on_error in ('FAIL_CLOSED', 'ASK', 'FAIL_OPEN')),
  -- Whether policies wait for its estimate of the cost of a plan.
  estimates_cost boolean not null default false,
  -- The workspaces whose runs it judges.
  selector jsonb not null,
  progress_seconds integer not null,
  total_seconds integer not null,
  enabled boolean not null default true,
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check (progress_seconds between 1 and total_seconds),
  check (not estimates_cost or 'POST_PLAN' = any (stages))
);
create index external_check_of_pool on external_check (via_pool_id) where via_pool_id is not null;
create unique index external_check_name on external_check (organization_id, name) where deleted_at is null;

-- One check at one stage of a run. Level, error mode and limits are those of the check when the result was created.
create table external_check_result (
  id text primary key,
  check_id text not null references external_check,
  run_id text not null references run,
  stage text not null check (stage in ('PRE_PLAN', 'POST_PLAN', 'PRE_APPLY', 'POST_APPLY')),
  -- 0 before the first plan.
  plan_version integer not null,
  level text not null check (level in ('ADVISORY', 'SOFT_MANDATORY', 'MANDATORY')),
  on_error text not null check (on_error in ('FAIL_CLOSED', 'ASK', 'FAIL_OPEN')),
  progress_seconds integer not null,
  total_seconds integer not null,
  status text not null check (
    status in ('PENDING', 'RUNNING', 'PASSED', 'FAILED', 'ERRORED', 'TIMED_OUT', 'CANCELED')
  ),
  message text,
  url text,
  outcomes jsonb not null default '[]',
  -- Whether policies wait for its estimate of the cost of the plan, and the estimate.
  estimates_cost boolean not null default false,
  cost jsonb,
  -- Counts up with each request of a person to try again. A token is of one round.
  round integer not null default 1,
  -- The requests of the round, and the failure of the last one.
  attempts integer not null default 0,
  attempt_error text,
  created_at timestamptz(3) not null,
  -- When the round began, when the service accepted it, and when it last reported.
  began_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  progressed_at timestamptz(3),
  finished_at timestamptz(3),
  -- The next request, or the limit that the service exceeds next.
  due_at timestamptz(3),
  -- The server that makes the request, and until when it has the row.
  lease_id text,
  lease_until timestamptz(3),
  unique (run_id, stage, plan_version, check_id),
  check ((finished_at is null) = (status in ('PENDING', 'RUNNING'))),
  check ((finished_at is null) = (due_at is not null)),
  check ((lease_id is null) = (lease_until is null))
) with (fillfactor = 80);
create index external_check_result_due on external_check_result (due_at) where due_at is not null;
create index external_check_result_of_check on external_check_result (check_id, id desc);

-- Requests that runners of a pool send: about a result, or as a test of an address.
create table check_request (
  id text primary key,
  pool_id text not null references runner_pool,
  result_id text unique references external_check_result,
  -- Of the result.
  round integer,
  -- A test: its address, headers and body. Others are built when a runner takes them.
  content_sealed bytea,
  offered_at timestamptz(3) not null,
  ends_at timestamptz(3),
  fence integer not null default 0,
  -- The attempt of a runner to get a request: the same one gets the same request again.
  lease_id text,
  lease_until timestamptz(3),
  -- The answer to a test, which a server waits for.
  answered_at timestamptz(3),
  status_code integer,
  error text,
  check ((result_id is null) = (round is null)),
  check ((result_id is null) = (content_sealed is not null)),
  check ((result_id is null) = (ends_at is not null)),
  check ((lease_id is null) = (lease_until is null))
) with (fillfactor = 80);
create index check_request_of_pool on check_request (pool_id, offered_at);
