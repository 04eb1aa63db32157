import { type Kysely, sql } from "kysely";

/** The run by whose token a run was created, and the people behind it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table run add column acting_run_id text references run, add column requested_by text[]`.execute(db);
}
