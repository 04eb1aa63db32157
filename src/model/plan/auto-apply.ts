import type { OutputChange, PlanCounts } from "./plan.ts";

/** Which plans may be applied without a person. */
export const AUTO_APPLY_MODES = ["NEVER", "CREATE_ONLY", "NO_DESTROY", "ALWAYS"] as const;
export type AutoApply = (typeof AUTO_APPLY_MODES)[number];

/** The facts that auto-apply depends on. The targets of the run explain a plan that is not complete. */
export type AutoApplyPlan = Omit<PlanCounts, "additions"> & {
  outputChanges: readonly Pick<OutputChange, "action">[];
  complete: boolean;
  targeted: boolean;
  /** Only takes into the state what changed outside; absent: no. */
  refreshOnly?: boolean;
};

/** A replacement counts as a destruction; a plan that is incomplete for another reason than targets waits. */
export function autoApplyAllows(mode: AutoApply, plan: AutoApplyPlan): boolean {
  if (mode === "NEVER" || (!plan.complete && !plan.targeted)) return false;
  if (mode === "ALWAYS") return true;
  if (plan.destructions + plan.replacements + plan.forgets > 0) return false;
  if (mode === "NO_DESTROY") return true;
  // What it takes into the state is no creation, and is not counted anywhere.
  if (plan.refreshOnly === true) return false;
  const onlyNewOutputs = plan.outputChanges.every(({ action }) => action === "CREATE");
  return plan.changes + plan.imports + plan.moves === 0 && onlyNewOutputs;
}
