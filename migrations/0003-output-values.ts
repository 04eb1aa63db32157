import { type Kysely, sql } from "kysely";

/** Adds the values of outputs, apart from `output_changes`, which every read of a plan has: values may be large. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan add column output_values jsonb`.execute(db);
}
