import { type Kysely, sql } from "kysely";

/** Events cost their transactions less; what is refused stays refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await actorsStay(db);
  await statusEventsStay(db);
}

/**
 * Every event notes who made it, and a foreign key locks the row of that actor until the commit. What runners do is all
 * done by one actor, the system's: its row was locked by everybody who wrote at the same time, and each took a new
 * multixact of all of them for that.
 *
 * What the lock is for is certain without it: actors stay, and so an actor that is there when an event is written is there
 * for good. The system's is there from the first migration on, and is not looked for: a look without a lock costs no less
 * than the key did.
 */
async function actorsStay(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function actor_guard() returns trigger language plpgsql as $$
    begin
      raise exception 'the actor % stays', old.id using errcode = 'HP003';
    end $$;
    create trigger actor_kept before delete on actor for each row execute function actor_guard();
    create trigger actor_renamed before update on actor for each row when (new.id <> old.id)
      execute function actor_guard();
    create function event_actor() returns trigger language plpgsql as $$
    begin
      perform from actor where id = new.actor_id;
      if not found then
        raise exception 'there is no actor %', new.actor_id using errcode = '23503';
      end if;
      return new;
    end $$;
    create trigger run_event_actor before insert or update of actor_id on run_event for each row
      when (new.actor_id <> 'sys_00000000000000000000000000') execute function event_actor();
    create trigger workspace_event_actor before insert or update of actor_id on workspace_event for each row
      when (new.actor_id <> 'sys_00000000000000000000000000') execute function event_actor();
    alter table run_event drop constraint run_event_actor_id_fkey;
    alter table workspace_event drop constraint workspace_event_actor_id_fkey;
  `.execute(db);
}

/**
 * That a run has the event of its status was a foreign key, for which the largest table had an index with all columns of
 * its primary key and one more, written to with every event. A trigger that looks when a status changes does the same:
 * the event that it finds is neither changed nor removed afterwards.
 */
async function statusEventsStay(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function run_status_event() returns trigger language plpgsql as $$
    begin
      perform from run_event
        where run_id = new.id and version = new.status_version and to_status = new.status;
      if not found then
        raise exception 'run % is % without an event that says so', new.id, new.status using errcode = '23503';
      end if;
      return null;
    end $$;
    create function run_event_guard() returns trigger language plpgsql as $$
    begin
      raise exception 'run % was %, and stays so', old.run_id, old.to_status using errcode = 'HP001';
    end $$;
    alter table run drop constraint run_status_event;
    alter table run_event drop constraint run_event_run_id_version_to_status_key;
    create constraint trigger run_status_event after insert or update of id, status, status_version on run
      deferrable initially deferred for each row execute function run_status_event();
    create trigger run_event_guard before update or delete on run_event for each row when (old.to_status is not null)
      execute function run_event_guard();
  `.execute(db);
}
