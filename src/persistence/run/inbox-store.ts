/** Runs that need a person, over all organizations, in one statement. */
import { type RawBuilder, sql } from "kysely";
import { firstIdAt } from "../../model/kit/id.ts";
import { type Gate, GATES } from "../../model/approval/approval.ts";
import { GATE_STATUSES, RUN_STATUSES, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { InboxFacts } from "../../model/run/inbox.ts";
import { word } from "../database/closed-set.ts";
import type { Reader } from "../database/database.ts";
import { SCOPE_OF_RUN } from "../database/place.ts";
import { within } from "../database/scope.ts";
import { PLANNED_EACH_TIME } from "../database/statement-names.ts";

export interface InboxCandidate extends InboxFacts {
  /** Whether the caller has the permission to approve at the gate. */
  isApprover: boolean;
  /** No rule, policy or earlier gate decides who may approve: any approver may. */
  isOpenGate: boolean;
}

export interface InboxSelection {
  /** Where runs are shown, and where the caller may approve at each gate. */
  shown: CallerScope;
  approving: Readonly<Record<Gate, CallerScope>>;
  /** Runs that failed after this instant. */
  failedAfter: string;
  limit: number;
}

interface Row {
  id: string;
  status: string;
  created_by: string;
  status_at: string;
  escalated_at: string | null;
  interrupted_at: string | null;
  recovered_at: string | null;
  failed_at: string | null;
  is_approver: boolean;
  is_open: boolean;
}

/** The time of a run's id precedes its end by at most this: a run that took longer and failed is not found. */
const LONGEST_RUN_MS = 14 * 24 * 60 * 60 * 1000;
const FAILED = ["FAILED", "TIMED_OUT"];

const inside = (scope: CallerScope): RawBuilder<boolean> => within(scope, SCOPE_OF_RUN) ?? sql<boolean>`true`;
const statusesOf = (gate: Gate): string[] => GATE_STATUSES.filter((status) => STATUS_TRAITS[status].gate === gate);

/** Lists runs that need a person, oldest first. The parts of the union have an index each. */
export async function listInboxCandidates(
  reader: Reader,
  { shown, approving, failedAfter, limit }: InboxSelection,
): Promise<InboxCandidate[]> {
  if (shown.type === "nothing") return [];
  const isShown = inside(shown);
  const isApprover = sql.join(
    GATES.map((gate) => sql`(run.status = any(${statusesOf(gate)}::text[]) and ${inside(approving[gate])})`),
    sql` or `,
  );
  const oldest = firstIdAt("run", Math.max(0, Date.parse(failedAfter) - LONGEST_RUN_MS));
  const isFailed = sql`(run.status = any(${FAILED}::text[]) and run.finished_at > ${failedAfter}
    and not exists (select from run later where later.workspace_id = run.workspace_id and later.id > run.id))`;
  const { rows } = await sql<Row>`
    with candidate as (
      select run.id from run where run.status = any(${GATE_STATUSES}::text[]) and not run.hidden and ${isShown}
      union
      select workspace.lock_run_id from workspace
        where workspace.lock_reason = 'APPLY_INTERRUPTED' and workspace.deleted_at is null
      union
      select run_id from recovered_state where decision is null
      union
      select run.id from run
        where run.status = any(${FAILED}::text[]) and run.id >= ${oldest} and not run.hidden and ${isShown} and ${isFailed}
    )
    select run.id, run.status, run.created_by, run.status_at, run.escalated_at,
      case when workspace.lock_reason = 'APPLY_INTERRUPTED' and workspace.lock_run_id = run.id
        then workspace.locked_at end as interrupted_at,
      (select min(received_at) from recovered_state
        where run_id = run.id and decision is null) as recovered_at,
      case when ${isFailed} then run.finished_at end as failed_at,
      (${isApprover}) as is_approver,
      organization.approval_rules = '[]' and workspace.approval_rules = '[]' and run.stage_count = 0
        and run.plan_run_id is null and not run.policy_asks as is_open
    from candidate
    join run on run.id = candidate.id
    join workspace on workspace.id = run.workspace_id
    join organization on organization.id = run.organization_id
    where not run.hidden and workspace.deleted_at is null and ${isShown}
    order by run.id limit ${limit}
    ${sql.raw(PLANNED_EACH_TIME)}`.execute(reader.sql);
  return rows.map(toCandidate);
}

function toCandidate(row: Row): InboxCandidate {
  const { gate } = STATUS_TRAITS[word(RUN_STATUSES, row.status)];
  return {
    runId: row.id,
    atGate: gate === null ? null : { gate, since: row.status_at },
    escalatedAt: row.escalated_at,
    interruptedAt: row.interrupted_at,
    recoveredAt: row.recovered_at,
    failedAt: row.failed_at,
    createdById: row.created_by,
    isApprover: row.is_approver,
    isOpenGate: row.is_open,
  };
}
