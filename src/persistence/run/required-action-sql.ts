/** The action that a run requires of a person, in SQL, as `requiredAction` of the model decides it. */
import { type RawBuilder, sql } from "kysely";
import {
  isVerifying,
  RUN_STATUSES,
  type RequiredAction,
  type RunStatus,
  STATUS_TRAITS,
} from "../../model/lifecycle/run-status.ts";

const literals = (statuses: readonly RunStatus[]) => sql.join(statuses.map((status) => sql.lit(status)));
const LOCKABLE = RUN_STATUSES.filter((status) => STATUS_TRAITS[status].queued || STATUS_TRAITS[status].approved);
const AT_PLAN_GATE = RUN_STATUSES.filter((status) => STATUS_TRAITS[status].gate === "PLAN");

/** The statuses besides its own in which a run may require an action. */
const ALSO_IN: Partial<Record<RequiredAction, readonly RunStatus[]>> = {
  RELEASE_LOCK: LOCKABLE,
  JUDGE_VERIFICATION: RUN_STATUSES.filter(isVerifying),
  OVERRIDE_POLICY: AT_PLAN_GATE,
  FIX_AND_RERUN: ["STOPPED"],
};

/** Returns the condition that a run requires one of these actions, as of an instant. Statuses come first: they have an index. */
export function requiresOneOf(actions: readonly RequiredAction[], at: string): RawBuilder<boolean> {
  const statuses = RUN_STATUSES.filter((status) =>
    actions.some((action) => STATUS_TRAITS[status].requiredAction === action || ALSO_IN[action]?.includes(status)),
  );
  const others = sql.join(
    RUN_STATUSES.map((status) => sql`when ${sql.lit(status)} then ${sql.lit(STATUS_TRAITS[status].requiredAction)}`),
    sql` `,
  );
  return sql<boolean>`(run.status = any(${statuses}::text[]) and case
    when run.status in (${literals(LOCKABLE)}) and exists (
      select from workspace locked where locked.id = run.workspace_id and locked.lock_reason is not null
        and (locked.lock_expires_at is null or locked.lock_expires_at > ${at}::timestamptz)
        and not (run.kind = 'UNLOCK' and locked.lock_reason = 'APPLY_INTERRUPTED')) then 'RELEASE_LOCK'
    when run.status in (${literals(RUN_STATUSES.filter(isVerifying))}) and exists (
      select from verification where verification.run_id = run.id and verification.status = 'INCONCLUSIVE')
      then 'JUDGE_VERIFICATION'
    when run.policy_asks and run.status in (${literals(AT_PLAN_GATE)}) then 'OVERRIDE_POLICY'
    when run.status = 'STOPPED' and run.leg in ('APPLY', 'DESTROY') then 'FIX_AND_RERUN'
    else case run.status ${others} end
  end = any(${actions}::text[]))`;
}
