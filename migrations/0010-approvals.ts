import { type Kysely, sql } from "kysely";

/**
 * Stages of gates, approvals that are taken back, and words about a run that decide nothing. `position` orders decisions
 * as they were committed, whichever server's clock made their ids: the newest decision of a person is found by it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table approval
      add column stage text,
      add column apply_at timestamptz(3),
      add column position bigint generated always as identity,
      add check (apply_at is null or gate = 'APPLY' and decision = 'APPROVED'),
      drop constraint approval_decision_check,
      add constraint approval_decision_check check (decision in ('APPROVED', 'REJECTED', 'WITHDRAWN'));
    -- Who asked for the newest plan in place; of runs of an older release, nobody is known.
    alter table run add column replanned_by text references actor;
    create table run_comment (
      id text primary key,
      run_id text not null references run,
      actor_id text not null references actor,
      text text not null,
      at timestamptz(3) not null
    );
    create index run_comment_run on run_comment (run_id, id);
  `.execute(db);
}
