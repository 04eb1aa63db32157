import { type Kysely, sql } from "kysely";

/**
 * Adds what a plan states about each change beside its values. Rows of before have no digest: it is computed when they
 * are read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table resource_change
      add column digest text,
      add column replace_paths text[] not null default '{}',
      add column reason text,
      add column provider text,
      add column index text,
      add column deposed text,
      add column import_id text
  `.execute(db);
}
