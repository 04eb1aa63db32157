import { type Kysely, sql } from "kysely";

/**
 * `hooks`: what runs of a workspace perform around the engine; those of a run are kept as they were at its creation.
 * `run_progress`: how far a phase of a run is, or was. `job_id` and `sequence` keep an older report from replacing a
 * newer one; `told_at`: when listeners last heard of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table workspace add column hooks jsonb not null default '[]';
    alter table run add column hooks jsonb not null default '[]';
    create table run_progress (
      run_id text not null references run,
      phase text not null,
      job_id text not null references job,
      sequence int not null,
      total int,
      done int not null,
      failed int not null,
      current jsonb not null,
      current_count int not null,
      updated_at timestamptz(3) not null,
      told_at timestamptz(3) not null,
      primary key (run_id, phase)
    ) with (fillfactor = 70);
  `.execute(db);
}
