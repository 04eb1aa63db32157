import { type Kysely, sql } from "kysely";

/**
 * Runs of deleted workspaces stay, and lists passed over each of them: 18,000 that were the newest of all made the first
 * page of a list 15 to 30 ms longer, for whoever asked. Now they are marked in the background (hidden-run-store.ts), and
 * lists go by indexes that do not have them. The mark is all that may change of a run that has ended.
 *
 * `run_by_creation` has served nothing since lists by time begin at an id of that time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await hiddenRuns(db);
  // Empty until a backup is restored: until then cursors need not say what they are of.
  await sql`
    create table restoration (
      singleton boolean primary key default true check (singleton),
      epoch text not null
    )
  `.execute(db);
}

async function hiddenRuns(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table run add column hidden boolean not null default false;
    drop index run_by_creation;
    drop index run_of_organization;
    create index run_shown on run (id desc) where not hidden;
    create index run_shown_of_organization on run (organization_id, id desc) where not hidden;
    alter table workspace add column runs_hidden boolean not null default false;
    create index workspace_with_shown_runs on workspace (id) where deleted_at is not null and not runs_hidden;
  `.execute(db);
  await sql`
    create function run_hide() returns trigger language plpgsql as $$
    declare
      before run := old;
    begin
      before.hidden := new.hidden;
      if before is distinct from new then
        raise exception 'run % changes, and is hidden at once', old.id using errcode = 'HP001';
      end if;
      return new;
    end $$;
    drop trigger run_guard on run;
    create trigger run_guard_insert before insert on run for each row execute function run_guard();
    create trigger run_guard_update before update on run for each row when (old.hidden = new.hidden)
      execute function run_guard();
    create trigger run_guard_hide before update on run for each row when (old.hidden <> new.hidden)
      execute function run_hide();
  `.execute(db);
}
