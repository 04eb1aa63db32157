import { type Kysely, sql } from "kysely";

/** Adds the errors and warnings of engines, by the job that reported them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table run_diagnostics (
      run_id text references run,
      job_id text,
      -- The plan that was made; null: none was, or it was applied.
      plan_version integer,
      diagnostics jsonb not null,
      primary key (run_id, job_id)
    )
  `.execute(db);
}
