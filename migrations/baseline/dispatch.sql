-- Jobs under a lease, and the table that runners claim from. The organization and the workspace of a job and of a row in
-- `dispatch` are copies of those of the run, which alone is a foreign key: each key costs a query for every row, and a lock
-- on a row that all runs of the organization share.

create table job (
  id text primary key,
  -- The order of the jobs of a run: clocks of servers differ, and times can be equal.
  number bigint not null generated always as identity,
  claim_id text not null unique,
  run_id text not null references run,
  organization_id text not null,
  workspace_id text not null,
  leg text not null,
  attempt integer not null,
  runner_id text not null references runner,
  claimed_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  message_sequence integer not null default 0,
  message_digest text,
  archive_blob_id text references blob,
  lease_ms integer not null default 30000
) with (fillfactor = 50);
create index job_archive on job (archive_blob_id) where archive_blob_id is not null;
create index job_archive_run on job (run_id) where archive_blob_id is not null;
create index job_busy on job (organization_id) where ended_at is null;
create index job_ended on job (organization_id, ended_at) where ended_at is not null;
create index job_lease on job (expires_at) where ended_at is null;
create unique index job_live on job (run_id) where ended_at is null;

-- The document of a plan that a job has sent and not yet reported.
create table job_document (
  job_id text primary key references job,
  run_id text not null references run,
  blob_id text not null references blob,
  raw_bytes bigint not null,
  truncated text[] not null,
  action_invocations integer not null,
  cost jsonb
);
create index job_document_blob on job_document (blob_id);
create index job_document_run on job_document (run_id);

-- The table that runners claim from. A workspace has at most one row for the run that has it or wants it, and one for its
-- next speculative plan. `offered` rows have one of their organization's slots; a claim takes the first of them.
-- `reachable`: a runner that may take the run is connected. Runs that any shared runner may take always count as reachable,
-- so that nothing is written for them when runners come and go.
--
-- `turn`: the order within a class and a priority. Its upper bits are a virtual time, which every run that arrives advances by
-- one. The runs of a changeset (`fair_key`) follow one another by one, whatever arrives meanwhile, so that together they have
-- one place in the queue at a time. No run begins before the first of those that wait. The lower 20 bits keep equal times
-- in the order of arrival.
create sequence dispatch_turn;
create table dispatch (
  run_id text primary key references run,
  organization_id text not null,
  workspace_id text not null,
  class smallint not null,
  priority integer not null,
  turn bigint not null default (nextval('dispatch_turn') << 20),
  fair_key text,
  since timestamptz(3) not null,
  offered boolean not null default false,
  pool_id text references runner_pool,
  labels text[] not null default '{}',
  reachable boolean not null default true
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- The checks for drift that wait: those of each pool, and those of an organization for any runner.
create index dispatch_checks on dispatch (pool_id, priority desc, turn) where class = 3 and not offered and reachable and pool_id is not null;
create index dispatch_free_checks on dispatch (organization_id, priority desc, turn) where class = 3 and not offered and reachable and pool_id is null;
create index dispatch_choosy on dispatch (organization_id, pool_id, labels, reachable) where (pool_id is not null) or (labels <> '{}');
create index dispatch_choosy_offered on dispatch (organization_id) where offered and ((pool_id is not null) or (labels <> '{}'));
create index dispatch_given on dispatch (organization_id, class, priority desc, turn) where offered;
create index dispatch_fair on dispatch (fair_key, class, priority, turn) where fair_key is not null;
create index dispatch_of_workspace on dispatch (workspace_id);
create index dispatch_offered on dispatch (class, priority desc, turn) where offered;
create index dispatch_plain on dispatch (organization_id, class, priority desc, turn) where (not offered) and reachable and (pool_id is null) and (labels = '{}');
create index dispatch_wanted on dispatch (organization_id, class, priority desc, turn) where (not offered) and reachable;

create table refused_request (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  organization_id text not null references organization,
  workspace_id text not null references workspace,
  run_id text not null references run,
  job_id text not null references job,
  runner_id text not null references runner,
  request text not null,
  code text not null,
  message text not null
);
create index refused_request_run on refused_request (run_id, id);

create table refused_count (
  job_id text primary key references job,
  run_id text not null references run,
  count integer not null
) with (fillfactor = 50);
create index refused_count_run on refused_count (run_id);

alter table run_progress add constraint run_progress_job_id_fkey foreign key (job_id) references job;

-- How many checks for drift of workspaces that name a pool have a slot or a runner.
create function drift_checks_at_work(whose text, pool text) returns bigint language sql stable as $$
  select (
      select count(*) from job join run on run.id = job.run_id join workspace on workspace.id = run.workspace_id
      where job.organization_id = whose and job.ended_at is null
        and run.trigger = 'DRIFT' and run.kind = 'PLAN' and workspace.runner_pool_id = pool
    ) + (select count(*) from dispatch where organization_id = whose and pool_id = pool and class = 3 and offered)
$$;

-- Offers the free slots of an organization to the first rows, and moves the slot of the last row to a row of a higher class
-- or priority. Rows that are being claimed keep theirs. It waits for no row: a caller that holds one may wait for the
-- organization. The caller must not lock a workspace or a run afterwards. Returns whether a slot was given.
--
-- Where a pool of the organization limits checks for drift (class 3), they come last, as many as their pools have room for.
create function dispatch_offer(whose text) returns boolean language plpgsql as $$
declare
  slots integer;
  places integer;
  lost integer;
  given integer := 0;
  limited boolean := exists (
    select from runner_pool where organization_id = whose and drift_check_limit is not null and deleted_at is null
  );
  -- The first class that is not given slots in bulk. A bound, so that the index leaves out all rows behind it.
  beyond smallint := case when limited then 3 else 4 end;
  next_checks text[];
  taken integer;
  lowest record;
  highest record;
begin
  select concurrency_limit into slots from organization where id = whose for no key update;
  -- One snapshot: a claim that is under way counts as a row or as a job, never as both or neither.
  select slots - (select count(*) from job where organization_id = whose and ended_at is null) - count(*),
      count(*) filter (where not reachable)
    into places, lost
    from dispatch where organization_id = whose and offered;
  if lost > 0 then
    update dispatch set offered = false where run_id = any (array(
      select run_id from dispatch where organization_id = whose and offered and not reachable
        for update skip locked
    ));
    get diagnostics lost = row_count;
    places := places + lost;
  end if;
  if places > 0 then
    -- An array, because a sub-select that locks may be run again for every row, and then gives more than its limit.
    update dispatch set offered = true where run_id = any (array(
      select run_id from dispatch
      where organization_id = whose and not offered and reachable and class < beyond
      order by class, priority desc, turn limit places for update skip locked
    ));
    get diagnostics given = row_count;
    if limited and given < places then
      -- One snapshot: the places left in each pool, and the first checks that wait for it.
      select array(
        select run_id from (
          (
            select run_id, priority, turn from dispatch
            where organization_id = whose and pool_id is null and class = 3 and not offered and reachable
            order by priority desc, turn limit places - given
          ) union all (
            select first.* from (
              select p.id, coalesce(p.drift_check_limit - drift_checks_at_work(whose, p.id), places) as room
              -- The first row of each pool in the order of its index, or Postgres reads all that wait: so no organization is
              -- asked for either. Pools for which none waits are not counted.
              from runner_pool p cross join lateral (
                select from dispatch
                where pool_id = p.id and class = 3 and not offered and reachable
                order by priority desc, turn limit 1
              ) waits
              where p.organization_id = whose and p.deleted_at is null
              offset 0
            ) pool cross join lateral (
              select run_id, priority, turn from dispatch
              where pool_id = pool.id and class = 3 and not offered and reachable
              order by priority desc, turn limit greatest(0, least(pool.room, places - given))
            ) first
          )
        ) checks order by priority desc, turn limit places - given
      ) into next_checks;
      update dispatch set offered = true where run_id = any (array(
        select run_id from dispatch where run_id = any (next_checks) and not offered for update skip locked
      ));
      get diagnostics taken = row_count;
      given := given + taken;
    end if;
  elsif places < 0 then
    update dispatch set offered = false where run_id = any (array(
      select run_id from dispatch where organization_id = whose and offered
      order by class desc, priority, turn desc limit -places for update skip locked
    ));
  end if;
  -- Most rows that wait have the rank of those that have slots. This reads both ends without a lock.
  perform from (
      select class, priority from dispatch
      where organization_id = whose and not offered and reachable and class < beyond
      order by class, priority desc, turn limit 1
    ) first, (
      select class, priority from dispatch where organization_id = whose and offered
      order by class desc, priority, turn desc limit 1
    ) last
    where last.class > first.class or last.class = first.class and last.priority < first.priority;
  while found loop
    select run_id, class, priority into highest from dispatch
      where organization_id = whose and not offered and reachable and class < beyond
      order by class, priority desc, turn limit 1 for update skip locked;
    exit when not found;
    select run_id into lowest from dispatch where organization_id = whose and offered
      and (class > highest.class or class = highest.class and priority < highest.priority)
      order by class desc, priority, turn desc limit 1 for update skip locked;
    exit when not found;
    update dispatch set offered = (run_id = highest.run_id) where run_id in (lowest.run_id, highest.run_id);
    given := given + 1;
  end loop;
  return given > 0;
end
$$;

-- Fails unless the version of rights is `known` and the credential was not revoked, but for what this transaction did.
-- Called with the commit: it sees what others committed while the transaction waited for its locks.
-- The credential of a run is its job, and ends with it.
create function require_rights(known bigint, credential text) returns void language plpgsql as $$
begin
  perform from access_epoch
    where case when counted_in = pg_current_xact_id_if_assigned() then former else version end = known
      and (
        exists (
          select from token where id = credential
            and (revoked_at is null or xmin = pg_current_xact_id_if_assigned()::xid)
        )
        or exists (
          select from session where id = credential
            and (revoked_at is null or xmin = pg_current_xact_id_if_assigned()::xid)
        )
        or exists (
          select from job where id = credential
            and (ended_at is null or xmin = pg_current_xact_id_if_assigned()::xid)
        )
        -- What acts for its owner.
        or exists (select from schedule where id = credential and deleted_at is null)
        or exists (select from inbound_hook where id = credential and deleted_at is null)
        or exists (select from promotion_pipeline where id = credential and deleted_at is null)
      );
  if not found then
    raise exception 'The rights of the caller have changed since its request came.' using errcode = 'HP004';
  end if;
end
$$;
