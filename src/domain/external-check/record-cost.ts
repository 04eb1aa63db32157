/** Takes the estimates of the cost of a plan from the reports of external checks. */
import { COST_OUTCOME, readCostOutcome } from "../../model/check/check-cost.ts";
import type { CheckOutcome, ExternalCheckResult } from "../../model/check/external-check.ts";
import type { CostEstimate } from "../../model/policy/cost-estimate.ts";
import { plannedBy, type Run } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { writeCheckCost } from "../../persistence/plan/plan-cost-store.ts";
import { findPlanId } from "../../persistence/plan/plan-store.ts";
import { ReportRefused } from "../check/parse-callback.ts";

/** Returns the estimate in the outcomes of a report; `null` if they have none. Throws ReportRefused if it cannot be read. */
export function readEstimate(outcomes: readonly CheckOutcome[]): CostEstimate | null {
  const read = readCostOutcome(outcomes);
  if ("cost" in read) return read.cost;
  throw new ReportRefused(
    `/data/relationships/outcomes/data/${read.invalid}/attributes/body`,
    `of the outcome ${COST_OUTCOME} must be the JSON that \`infracost breakdown\` or \`infracost diff\` writes.`,
  );
}

/** Makes an estimate that of the plan that a result is about; `null` takes back the one that the result had. */
export async function recordEstimate(
  tx: Transaction,
  run: Run,
  { id: resultId, planVersion }: ExternalCheckResult,
  cost: CostEstimate | null,
): Promise<void> {
  const planId = await findPlanId(tx, plannedBy(run), planVersion);
  if (planId === null) return;
  await writeCheckCost(tx, { planId, runId: run.id, planVersion }, { resultId, cost });
}
