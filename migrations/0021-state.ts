import { type Kysely, sql } from "kysely";

/**
 * The state as people use it: a lock that a person has (an older server knows no such lock, and meets it as it meets
 * that of another job), runs that bring an older version back, and who took a state home.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table state_lock
      alter column run_id drop not null,
      alter column job_id drop not null,
      add column actor_id text references actor,
      add check ((run_id is null) = (job_id is null) and (run_id is null) = (actor_id is not null));
    create table state_rollback (
      run_id text primary key references run,
      state_version_id text not null references state_version,
      state_serial bigint not null
    );
    create table state_reading (
      id bigint generated always as identity primary key,
      state_version_id text not null references state_version,
      actor_id text not null references actor,
      way text not null check (way in ('DOWNLOAD', 'BACKEND')),
      at timestamptz(3) not null
    );
    create index state_reading_version on state_reading (state_version_id, id);
  `.execute(db);
}
