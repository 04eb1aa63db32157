import type { OutputChange } from "./plan.ts";

/** The outputs that a plan changes, by what becomes of them. */
export interface OutputCounts {
  readonly additions: number;
  readonly changes: number;
  readonly destructions: number;
}

/** Counts the outputs that a plan changes. A replaced output counts as changed; one that is only read counts as nothing. */
export function countOutputs(outputs: readonly Pick<OutputChange, "action">[]): OutputCounts {
  const count = (...actions: OutputChange["action"][]): number =>
    outputs.filter(({ action }) => actions.includes(action)).length;
  return {
    additions: count("CREATE"),
    changes: count("UPDATE", "REPLACE"),
    destructions: count("DELETE", "FORGET"),
  };
}
