import type { Client } from "pg";

export const WEBHOOK_ID = "hook_00000000000000000000000000";

/** Tables that the data set leaves empty, with what an installation of its size has in them. */
const STATEMENTS = [
  "set session_replication_role = replica",
  `insert into feed_entry (organization_id, position, workspace_id, run_id, version)
    select r.organization_id, row_number() over (partition by r.organization_id order by e.run_id, e.version),
      r.workspace_id, e.run_id, e.version
    from (select * from run order by id desc limit $COUNT) r join run_event e on e.run_id = r.id`,
  `update feed_head h set position = (select max(position) from feed_entry f where f.organization_id = h.organization_id)`,
  `insert into job (id, claim_id, run_id, organization_id, workspace_id, leg, attempt, runner_id, claimed_at, expires_at,
      ended_at)
    select 'job_' || substr(r.id, 5), r.id, r.id, r.organization_id, r.workspace_id, 'PLAN', 1,
      (select min(id) from runner), r.created_at, r.created_at, r.finished_at
    from (select * from run where finished_at is not null order by id desc limit $COUNT) r`,
  `insert into webhook (id, organization_id, url, events, secret_sealed, created_by, created_at)
    select '${WEBHOOK_ID}', id, '', '{}', '\\x00', (select min(id) from actor), now() from organization limit 1`,
  `insert into webhook_delivery (id, webhook_id, event, payload, state, created_at, finished_at)
    select 'dlv_' || substr(id, 5), '${WEBHOOK_ID}', 'run.ended', '{}',
      case when number % 50 = 0 then 'FAILED' else 'DELIVERED' end, created_at, created_at
    from run order by id desc limit $COUNT`,
  "vacuum analyze feed_entry",
  "vacuum analyze feed_head",
  "vacuum analyze job",
  "vacuum analyze webhook_delivery",
];

const MOST = 200_000;

export async function fillRest(client: Client, runCount: number): Promise<void> {
  for (const statement of STATEMENTS) {
    await client.query(statement.replace("$COUNT", String(Math.min(MOST, runCount))));
  }
}
