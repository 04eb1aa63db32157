import { type Kysely, sql } from "kysely";

/**
 * What every kind of run, every limit and the scheduler need. `dispatch` is the small table that runners claim from: at
 * most one row a workspace for the run that has it or wants it, and one for its next speculative plan. `offered` rows
 * have one of their organization's places; a claim takes the first of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await settings(db);
  await runs(db);
  await dispatch(db);
  await offers(db);
}

async function settings(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organization
      add column limits jsonb not null default '{}',
      add column approval_rules jsonb not null default '[]',
      add column freeze_windows jsonb not null default '[]';
    alter table workspace
      add column limits jsonb not null default '{}',
      add column approval_rules jsonb not null default '[]',
      add column freeze_windows jsonb not null default '[]',
      add column interrupt_apply boolean not null default false,
      add column tasks_allowed boolean not null default false,
      add column lock_scope text not null default 'RUN' check (lock_scope in ('RUN', 'EXECUTION'));
  `.execute(db);
}

async function runs(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table run
      add column command text,
      add column metadata jsonb not null default '{}',
      add column priority integer not null default 0,
      add column scheduled_at timestamptz(3),
      add column apply_at timestamptz(3),
      -- When the system must look at the run again, whatever happens to it until then.
      add column alarm_at timestamptz(3),
      -- The limit that was exceeded while a runner had the run, and when the runner was asked to end its work.
      add column expired_limit text check (expired_limit in ('RUN', 'SILENCE')),
      add column expired_at timestamptz(3),
      add check ((expired_limit is null) = (expired_at is null)),
      add check ((command is not null) = (kind = 'TASK'));
    create index run_alarm on run (alarm_at) where alarm_at is not null;
    drop index run_queued;
    create index run_queued on run (workspace_id, priority desc, number) where status = 'QUEUED';
    drop index run_claimable;
    create index run_waiting on run (workspace_id, priority desc, number)
      where status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED');
    create index run_finished on run (workspace_id, finished_at) where finished_at is not null;
    -- Runs of an older release that execute or wait at a gate are looked at once, and get the alarms of this one.
    update run set alarm_at = now() where finished_at is null;

    alter table job add column lease_ms integer not null default 30000;
    alter table log_head add column appended_at timestamptz(3);
  `.execute(db);
}

async function dispatch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dispatch (
      run_id text primary key references run,
      organization_id text not null references organization,
      workspace_id text not null references workspace,
      class smallint not null,
      priority integer not null,
      turn bigint generated always as identity,
      since timestamptz(3) not null,
      offered boolean not null default false
    ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
    create index dispatch_offered on dispatch (class, priority desc, turn) where offered;
    create index dispatch_given on dispatch (organization_id, class, priority desc, turn) where offered;
    create index dispatch_wanted on dispatch (organization_id, class, priority desc, turn) where not offered;
    create index dispatch_of_workspace on dispatch (workspace_id);
    -- The scheduler offers them with its first round.
    insert into dispatch (run_id, organization_id, workspace_id, class, priority, since)
      select distinct on (run.workspace_id, run.kind = 'PLAN')
        run.id, run.organization_id, run.workspace_id,
        case when run.status = 'CONFIRMED' then 0 when run.kind = 'PLAN' then 2 else 1 end, 0, run.status_at
      from run join workspace on workspace.id = run.workspace_id
      where run.status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED')
        and not workspace.paused and (run.status <> 'CONFIRMED' or workspace.lock_reason is null)
      order by run.workspace_id, run.kind = 'PLAN', run.number;
  `.execute(db);
}

/**
 * Gives the free places of an organization to those who come first, and the place of whoever comes last to somebody of a
 * higher class or priority. Rows that are being claimed keep theirs: a claim that is under way while the limit is lowered
 * counts as at work. No row is waited for: whoever has one may wait for the organization, and calls this afterwards.
 * Whoever calls it must not lock a workspace or a run afterwards. Returns whether a place was given.
 */
async function offers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function dispatch_offer(whose text) returns boolean language plpgsql as $$
    declare
      places integer;
      given integer := 0;
      lowest record;
      highest record;
    begin
      perform 1 from organization where id = whose for no key update;
      -- One snapshot: a claim that is under way counts as a row or as a job, never as both or neither.
      select o.concurrency_limit
          - (select count(*) from job where organization_id = whose and ended_at is null)
          - (select count(*) from dispatch where organization_id = whose and offered)
        into places from organization o where o.id = whose;
      if places > 0 then
        -- An array, because a sub-select that locks may be run again for every row, and then gives more than its limit.
        update dispatch set offered = true where run_id = any (array(
          select run_id from dispatch where organization_id = whose and not offered
          order by class, priority desc, turn limit places for update skip locked
        ));
        get diagnostics given = row_count;
      elsif places < 0 then
        update dispatch set offered = false where run_id = any (array(
          select run_id from dispatch where organization_id = whose and offered
          order by class desc, priority, turn desc limit -places for update skip locked
        ));
      end if;
      loop
        select run_id, class, priority into highest from dispatch where organization_id = whose and not offered
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
    end $$;
  `.execute(db);
}
