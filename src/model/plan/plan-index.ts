/** The changes of a plan without their values. */
import type { ResourceChange } from "./plan.ts";

/** A change of a plan without its values. */
export interface IndexedChange
  extends Pick<ResourceChange, "address" | "action" | "module" | "type" | "imported" | "previousAddress"> {
  /** Equal for changes that a person sees as equal. */
  digest: string;
}

/** The changes of a plan that its index lists. */
export const INDEXED_CHANGES = 20_000;

export interface PlanIndex {
  /** The first `INDEXED_CHANGES`, in the order of the plan. */
  changes: IndexedChange[];
  /** Whether the plan has more. */
  truncated: boolean;
}
