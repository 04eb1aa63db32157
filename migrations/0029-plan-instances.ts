import { type Kysely, sql } from "kysely";

/** All resource instances that a plan knows, changed or not: a replan is refused where a target is none of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan add column instances_zstd bytea`.execute(db);
}
