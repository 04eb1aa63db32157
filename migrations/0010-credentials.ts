import { type Kysely, sql } from "kysely";

/** The credential by which a state was read and a refused command came. `null` for what is older. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a foreign key: tokens and sessions are removed when they have ended, and the record stays.
  await sql`alter table state_reading add column credential_id text`.execute(db);
  await sql`alter table rejected_command add column credential_id text`.execute(db);
}
