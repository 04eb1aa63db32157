import { type Kysely, sql } from "kysely";

/**
 * Where a blob lies, what is to be removed from there, and how long what ended runs leave behind is kept. An older server
 * knows rows of Postgres alone: a bucket is to be configured when none is up any more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await stores(db);
  await retention(db);
}

async function stores(db: Kysely<unknown>): Promise<void> {
  // An object is noted here before it is put, and forgotten by the transaction that writes the row of its blob: whatever
  // dies in between leaves a note, and nobody ever has to list a bucket.
  await sql`
    alter table blob add column store text not null default 'POSTGRES' check (store in ('POSTGRES', 'S3'));
    create index blob_elsewhere on blob (store) where store <> 'POSTGRES';
    create table stray_object (
      blob_id text primary key,
      due_at timestamptz(3) not null,
      removing_at timestamptz(3)
    ) with (fillfactor = 50);
    create index stray_object_due on stray_object (due_at);
    create function blob_left() returns trigger language plpgsql as $$
    begin
      insert into stray_object (blob_id, due_at) values (old.id, '2000-01-01T00:00:00Z');
      return null;
    end $$;
    create trigger blob_left after delete on blob for each row when (old.store <> 'POSTGRES')
      execute function blob_left();
  `.execute(db);
  // Whatever points to a blob is asked when one is removed.
  await sql`
    create index plan_archive on plan (archive_blob_id);
    create index job_archive on job (archive_blob_id) where archive_blob_id is not null;
    create index job_archive_run on job (run_id) where archive_blob_id is not null;
    create index state_version_blob on state_version (blob_id);
    create index recovered_state_blob on recovered_state (blob_id);
  `.execute(db);
}

async function retention(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organization
      add column log_days integer check (log_days > 0),
      add column event_days integer check (event_days > 0),
      add column archive_days integer check (archive_days > 0);
    -- What new organizations begin with. One that has runs loses nothing that nobody has asked for.
    update organization o set archive_days = 90 where not exists (select from run r where r.organization_id = o.id);
    alter table log_head add column expired_at timestamptz(3);
    alter table plan
      alter column archive_blob_id drop not null,
      add column archive_expired_at timestamptz(3);
    create table retention_mark (
      organization_id text not null references organization,
      kind text not null check (kind in ('LOGS', 'EVENTS', 'ARCHIVES')),
      finished_at timestamptz(3) not null,
      run_id text not null,
      primary key (organization_id, kind)
    ) with (fillfactor = 50);
    create index run_ended on run (organization_id, finished_at, id) where finished_at is not null;
    create index run_of_plan on run (plan_run_id) where plan_run_id is not null;
  `.execute(db);
}
