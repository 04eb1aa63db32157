import { type Kysely, sql } from "kysely";

/**
 * How much a run and each of its phases wrote; of a batch how many bytes it is as text and whose lines are in it (null:
 * not known); values that a job declared as sensitive.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table log_head add column bytes bigint not null default 0, add column phase_bytes jsonb not null default '{}';
    alter table log_batch add column bytes integer, add column streams smallint;
    create table run_mask (
      run_id text not null references run,
      position integer not null,
      value_sealed bytea not null,
      created_at timestamptz(3) not null,
      primary key (run_id, position)
    );
  `.execute(db);
}
