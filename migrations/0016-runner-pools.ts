import { type Kysely, sql } from "kysely";

/**
 * Pools of runners, what lets runners in, and what a run asks of a runner. `runner.name` stays unique over all pools,
 * because older servers insert by it: of a runner in a pool it is the pool's id, a slash and `shown_name`.
 *
 * `dispatch.reachable`: a runner that may take the run is there. Runs that any shared runner may take count as reachable
 * always, so that nothing is written for them when runners come and go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await registry(db);
  await wishes(db);
  await offers(db);
  await reach(db);
}

async function registry(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table runner_pool (
      id text primary key,
      organization_id text not null references organization,
      name text not null,
      description text,
      reserved boolean not null,
      created_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    );
    create unique index runner_pool_name on runner_pool (organization_id, name) where deleted_at is null;
    create table runner_token (
      id text primary key,
      pool_id text not null references runner_pool,
      name text not null,
      secret_hash bytea not null unique,
      created_by text not null references actor,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    ) with (fillfactor = 50);
    create unique index runner_token_name on runner_token (pool_id, name) where revoked_at is null;
    alter table runner
      add column pool_id text references runner_pool,
      add column shown_name text,
      add column instance text,
      add column labels text[] not null default '{}',
      add column slots integer not null default 1,
      add column draining boolean not null default false,
      add column drain_requested_at timestamptz(3),
      add column cycle_instance text,
      add column revoked_at timestamptz(3),
      add column engine_name text,
      add column engine_version text,
      add check ((pool_id is null) = (shown_name is null)),
      add check ((engine_name is null) = (engine_version is null));
    create index runner_of_pool on runner (pool_id, id);
  `.execute(db);
}

async function wishes(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspace
      add column runner_pool_id text references runner_pool,
      add column runner_labels text[] not null default '{}';
    create index workspace_of_pool on workspace (runner_pool_id) where runner_pool_id is not null;
    alter table dispatch
      add column pool_id text references runner_pool,
      add column labels text[] not null default '{}',
      add column reachable boolean not null default true;
    drop index dispatch_wanted;
    create index dispatch_wanted on dispatch (organization_id, class, priority desc, turn)
      where not offered and reachable;
    -- The first that every shared runner may take, however many wait before it for others.
    create index dispatch_plain on dispatch (organization_id, class, priority desc, turn)
      where not offered and reachable and pool_id is null and labels = '{}';
    -- What not every runner may take, by what it asks for.
    create index dispatch_choosy on dispatch (organization_id, pool_id, labels, reachable)
      where pool_id is not null or labels <> '{}';
    create index dispatch_choosy_offered on dispatch (organization_id)
      where offered and (pool_id is not null or labels <> '{}');
  `.execute(db);
}

/**
 * As before (0007-lifecycle), but only what can be reached gets a place, and what cannot be reached any more gives its
 * place back. No row is waited for.
 */
async function offers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function dispatch_offer(whose text) returns boolean language plpgsql as $$
    declare
      places integer;
      lost integer;
      given integer := 0;
      lowest record;
      highest record;
    begin
      perform 1 from organization where id = whose for no key update;
      -- One snapshot: a claim that is under way counts as a row or as a job, never as both or neither.
      select o.concurrency_limit
          - (select count(*) from job where organization_id = whose and ended_at is null) - d.offered, d.lost
        into places, lost
        from organization o cross join (select count(*) as offered, count(*) filter (where not reachable) as lost
          from dispatch where organization_id = whose and offered) d
        where o.id = whose;
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
          select run_id from dispatch where organization_id = whose and not offered and reachable
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
        select run_id, class, priority into highest from dispatch
          where organization_id = whose and not offered and reachable
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

/**
 * Who takes what. `runner_takes`: whether a runner of this pool with these labels may take a run that asks for `wanted`
 * and `asked`: one that names a pool goes there alone, another one to shared runners and to the pools of its
 * organization that are not reserved.
 */
async function reach(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function runner_takes(
      pool text, pool_organization text, reserved boolean, labels text[],
      organization text, wanted text, asked text[]
    ) returns boolean language sql immutable as $$
      select asked <@ labels and case
        when wanted is not null then coalesce(wanted = pool, false)
        else pool is null or (pool_organization = organization and not reserved)
      end
    $$;
  `.execute(db);
}
