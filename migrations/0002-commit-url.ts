import { type Kysely, sql } from "kysely";

/** Keeps the page of the commit with each run, and with the members of changesets that get a stored source. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table run add column commit_url text`.execute(db);
  await sql`alter table changeset_member add column commit_url text`.execute(db);
}
