import { type Kysely, sql } from "kysely";

/**
 * `blockers_told`: what was in the way of a waiting run when its listeners were last told, empty since its status
 * changed. The indexes carry the look for runs whose time has come, and the estimates of when a run begins.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table run add column blockers_told text not null default '';
    create index run_scheduled on run (scheduled_at) where status = 'QUEUED' and scheduled_at is not null;
    -- A workspace with thousands of queued deploys is asked for its plans with every change.
    create index run_queued_plan on run (workspace_id, priority desc, number) where status = 'QUEUED' and kind = 'PLAN';
    create index run_waiting_plan on run (workspace_id, priority desc, number)
      where status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') and kind = 'PLAN';
    create index job_ended on job (organization_id, ended_at) where ended_at is not null;
  `.execute(db);
}
