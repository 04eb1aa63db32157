/** The estimated cost of plans, as hooks and external checks give it. */
import { sql } from "kysely";
import type { CostEstimate } from "../../model/policy/cost-estimate.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Returns by how much a plan raises the monthly cost, by its estimate; `null` if it has none. */
export async function findPlanCost(reader: Reader, planId: string): Promise<number | null> {
  const row = await reader.sql
    .selectFrom("plan_document")
    .select(sql<string | null>`coalesce(check_cost, cost) ->> 'monthlyDelta'`.as("delta"))
    .where("plan_id", "=", planId)
    .executeTakeFirst();
  const delta = row?.delta ?? "";
  const amount = delta.trim() === "" ? Number.NaN : Number(delta);
  return Number.isFinite(amount) ? amount : null;
}

/** A plan as the checks of a run estimate it; the plan of an APPLY is that of another run. */
interface EstimatedPlan {
  planId: string;
  runId: string;
  planVersion: number;
}

/**
 * Writes the estimate of a result, and makes the largest one of the run's checks that of the plan. The row of the result must
 * be locked. A plan with targets gets none: what the rest of the configuration costs would be missing.
 */
export async function writeCheckCost(
  tx: Transaction,
  { planId, runId, planVersion }: EstimatedPlan,
  { resultId, cost }: { resultId: string; cost: CostEstimate | null },
): Promise<void> {
  await tx.sql
    .updateTable("external_check_result")
    .set({ cost: cost === null ? null : JSON.stringify(cost) })
    .where("id", "=", resultId)
    .execute();
  await sql`
    update plan_document set check_cost = (
      select cost from external_check_result
      where run_id = ${runId} and plan_version = ${planVersion} and cost is not null
      order by (cost ->> 'monthlyDelta')::numeric desc, id limit 1
    )
    where plan_id = ${planId} and exists (select from plan where id = ${planId} and targets = '{}')`.execute(tx.sql);
}

/** A plan of a run by its version. */
interface PlanOfRun {
  runId: string;
  planVersion: number;
}

/** Whether external checks were asked for the cost of a plan. */
export async function isCostAsked(reader: Reader, { runId, planVersion }: PlanOfRun): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("external_check_result")
    .select("id")
    .where("run_id", "=", runId)
    .where("plan_version", "=", planVersion)
    .where("estimates_cost", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds when the last external check that was asked for the cost of a plan has ended; `null` if none was, or has. */
export async function findCostEnd(reader: Reader, { runId, planVersion }: PlanOfRun): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("external_check_result")
    .select((eb) => eb.fn.max("finished_at").as("at"))
    .where("run_id", "=", runId)
    .where("plan_version", "=", planVersion)
    .where("estimates_cost", "=", true)
    .executeTakeFirst();
  return row?.at ?? null;
}
