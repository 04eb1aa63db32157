import { type Kysely, sql } from "kysely";

/**
 * `escalated_at`: since when a run waits at its gate longer than it may. `organization.alarm_at`: something that holds
 * for all its runs was changed, and each of them is still to be looked at.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table run add column escalated_at timestamptz(3);
    alter table organization add column alarm_at timestamptz(3);
    create index organization_alarm on organization (alarm_at) where alarm_at is not null;
    create index run_live on run (workspace_id, organization_id) where finished_at is null;
  `.execute(db);
}
