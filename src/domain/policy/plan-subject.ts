import { idKind } from "../../model/kit/id.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findPlans } from "../../persistence/plan/plan-store.ts";

const NO_PLAN = "must be the id of a plan that you may approve, whose document is stored.";

/** The error for a plan that cannot be judged: one for those that do not exist, are hidden, or have no document. */
export function noSuchPlan(): Error {
  return invalidField("planId", NO_PLAN);
}

/**
 * Throws INVALID_INPUT naming `planId` unless the caller may approve the plan: a rule can show all of its document, which
 * has more than plans show.
 */
export async function requirePlanDocument(reader: Reader, caller: ActorCaller, planId: string): Promise<void> {
  const [plan = null] = idKind(planId) === "plan" ? await findPlans(reader, [planId]) : [];
  if (plan === null || !can(caller, "PLAN_APPROVE", plan)) throw noSuchPlan();
}
