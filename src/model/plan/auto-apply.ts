import type { OutputChange, PlanCounts } from "./plan.ts";

/** The plans that may be applied without a person. */
export const AUTO_APPLY_MODES = ["NEVER", "CREATE_ONLY", "NO_DESTROY", "ALWAYS"] as const;
export type AutoApply = (typeof AUTO_APPLY_MODES)[number];

/** The properties of a plan that auto-apply depends on. Targets of the run explain an incomplete plan. */
export type AutoApplyPlan = Omit<PlanCounts, "additions"> & {
  outputChanges: readonly Pick<OutputChange, "action">[];
  actionInvocationCount: number;
  complete: boolean;
  targeted: boolean;
  /** The plan only updates the state to external changes; absent for `false`. */
  refreshOnly?: boolean;
};

/**
 * Whether a mode covers a plan. A replacement counts as a destruction. A plan that is incomplete for another reason
 * than targets is not covered. The plan does not show what its actions do, so only ALWAYS, which covers everything that
 * an apply could do, covers a plan that invokes some.
 */
export function autoApplyAllows(mode: AutoApply, plan: AutoApplyPlan): boolean {
  if (mode === "NEVER" || (!plan.complete && !plan.targeted)) return false;
  if (mode === "ALWAYS") return true;
  if (plan.actionInvocationCount > 0) return false;
  if (plan.destructions + plan.replacements + plan.forgets > 0) return false;
  if (mode === "NO_DESTROY") return true;
  // A refresh creates nothing, and its changes are not counted.
  if (plan.refreshOnly === true) return false;
  const onlyNewOutputs = plan.outputChanges.every(({ action }) => action === "CREATE");
  return plan.changes + plan.imports + plan.moves === 0 && onlyNewOutputs;
}
