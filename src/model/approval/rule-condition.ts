/** The condition of an approval rule: the rule is a stage only of runs that it matches. */
import type { RunTrigger } from "../lifecycle/run-kind.ts";

/** All that is set must match. Empty lists and `null` ask for nothing. */
export interface RuleCondition {
  /** The plan destroys at least as many resources. */
  minDestructions: number | null;
  /** The plan replaces at least as many resources. */
  minReplacements: number | null;
  /** Globs of types: the plan changes a resource of one of them. */
  resourceTypes: string[];
  /** The workspace has one of these labels. */
  labels: string[];
  /** The run has one of these causes. */
  triggers: RunTrigger[];
  /** The plan raises the monthly cost by more, in the currency of its estimate. */
  monthlyCostDeltaOver: number | null;
}

/** Whether a condition asks about the plan, which a task does not have. */
export function asksForPlan({
  minDestructions,
  minReplacements,
  resourceTypes,
  monthlyCostDeltaOver,
}: RuleCondition): boolean {
  return (
    minDestructions !== null || minReplacements !== null || resourceTypes.length > 0 || monthlyCostDeltaOver !== null
  );
}
