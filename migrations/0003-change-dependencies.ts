import { type Kysely, sql } from "kysely";

/** Keeps with each planned change the resources on which it depends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table resource_change add column depends_on text[] not null default '{}'`.execute(db);
}
