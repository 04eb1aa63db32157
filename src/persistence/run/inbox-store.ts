/** Runs that need a person, over all organizations, in one statement. */
import { type RawBuilder, sql } from "kysely";
import { firstIdAt } from "../../model/kit/id.ts";
import { keysOf } from "../../model/kit/keys-of.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type Gate, GATES } from "../../model/approval/approval.ts";
import { GATE_STATUSES, RUN_STATUSES, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { CallerScope } from "../../model/people/permission.ts";
import type { InboxFacts, InboxReason } from "../../model/run/inbox.ts";
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
  /** The version of the run. */
  version: number;
}

export interface InboxSelection {
  /** Where runs are shown, and where the caller may approve at each gate. */
  shown: CallerScope;
  approving: Readonly<Record<Gate, CallerScope>>;
  /** The reasons that are asked for: runs that can have none of them are not read. */
  reasons: readonly InboxReason[];
  /** Runs that failed after this instant. */
  failedAfter: string;
  limit: number;
}

interface Row {
  id: string;
  version: number;
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

const FAILED = ["FAILED", "TIMED_OUT"];

const inside = (scope: CallerScope): RawBuilder<boolean> => within(scope, SCOPE_OF_RUN) ?? sql<boolean>`true`;
const statusesOf = (gate: Gate): string[] => GATE_STATUSES.filter((status) => STATUS_TRAITS[status].gate === gate);

/** The parts of the union and the reasons that they can give. Each has an index. */
const PARTS = {
  gates: ["YOUR_APPROVAL", "ESCALATED", "YOUR_RUN", "OTHERS_APPROVAL"],
  locks: ["STATE_UNKNOWN"],
  recovered: ["RECOVERED_STATE"],
  failures: ["YOUR_RUN", "FAILED"],
} as const satisfies Record<string, readonly InboxReason[]>;

/**
 * Lists runs that need a person: first those at a gate that the caller may approve, then the others, oldest first.
 * A limit therefore cuts no approval off before the others.
 */
export async function listInboxCandidates(
  reader: Reader,
  { shown, approving, reasons, failedAfter, limit }: InboxSelection,
): Promise<InboxCandidate[]> {
  if (shown.type === "nothing" || reasons.length === 0) return [];
  const asks = (part: keyof typeof PARTS): boolean => PARTS[part].some((reason) => reasons.includes(reason));
  const isShown = inside(shown);
  const isApprover = sql.join(
    GATES.map((gate) => sql`(run.status = any(${statusesOf(gate)}::text[]) and ${inside(approving[gate])})`),
    sql` or `,
  );
  const oldest = firstIdAt("run", Math.max(0, Date.parse(failedAfter) - LIMITS.runSearchMs));
  const isFailed = sql`(run.status = any(${FAILED}::text[]) and run.finished_at > ${failedAfter}
    and not exists (select from run later where later.workspace_id = run.workspace_id and later.id > run.id))`;
  const parts = {
    gates: sql`select run.id from run where run.status = any(${GATE_STATUSES}::text[]) and not run.hidden and ${isShown}`,
    locks: sql`select workspace.lock_run_id from workspace
        where workspace.lock_reason = 'APPLY_INTERRUPTED' and workspace.deleted_at is null`,
    recovered: sql`select run_id from recovered_state where decision is null`,
    failures: sql`select run.id from run where run.id >= ${oldest} and not run.hidden and ${isShown} and ${isFailed}`,
  };
  const asked = keysOf(parts)
    .filter(asks)
    .map((part) => parts[part]);
  const failedAt = asks("failures") ? sql`case when ${isFailed} then run.finished_at end` : sql`null::timestamptz`;
  const { rows } = await sql<Row>`
    with candidate (id) as (
      ${sql.join(
        asked,
        sql`
      union
      `,
      )}
    )
    select run.id, run.version, run.status, run.created_by, run.status_at, run.escalated_at,
      case when workspace.lock_reason = 'APPLY_INTERRUPTED' and workspace.lock_run_id = run.id
        then workspace.locked_at end as interrupted_at,
      (select min(received_at) from recovered_state
        where run_id = run.id and decision is null) as recovered_at,
      ${failedAt} as failed_at,
      (${isApprover}) as is_approver,
      organization.approval_rules = '[]' and workspace.approval_rules = '[]' and run.stage_count = 0
        and run.plan_run_id is null and not run.policy_asks as is_open
    from candidate
    join run on run.id = candidate.id
    join workspace on workspace.id = run.workspace_id
    join organization on organization.id = run.organization_id
    where not run.hidden and workspace.deleted_at is null and ${isShown}
    order by is_approver desc, run.id limit ${limit}
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
    version: row.version,
  };
}
