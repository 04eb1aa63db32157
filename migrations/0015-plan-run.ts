import { type Kysely, sql } from "kysely";

/** The PLAN run whose plan a run of kind APPLY applies: `origin_id` is another where it is a retry. Runs by metadata. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table run add column plan_run_id text references run;
    update run set plan_run_id = origin_id where kind = 'APPLY';
    create index run_metadata on run using gin (metadata jsonb_path_ops) where metadata <> '{}';
  `.execute(db);
}
