/** The results of the `check` blocks of a configuration, as an engine found them. */

/**
 * PASSED: all its assertions hold. FAILED: one does not. ERRORED: one could not be evaluated. UNKNOWN: one depends on a
 * value that is not known yet.
 */
export const CHECK_BLOCK_STATUSES = ["PASSED", "FAILED", "ERRORED", "UNKNOWN"] as const;
export type CheckBlockStatus = (typeof CHECK_BLOCK_STATUSES)[number];

export interface CheckBlock {
  /** With its modules, such as `module.web.check.answers`. */
  address: string;
  status: CheckBlockStatus;
  /** The messages of its assertions that do not hold, masked and sorted. */
  problems: string[];
}

/** The check blocks of one plan, or of the state after one apply. */
export interface FoundCheckBlocks {
  /** The first ones of all, those that fail first. */
  blocks: CheckBlock[];
  /** The number of all. */
  count: number;
  /** The number of those that failed or could not be evaluated. */
  failedCount: number;
}

/** The check blocks of a run: those of its newest plan, or after its apply those of the state. */
export interface CheckReport extends FoundCheckBlocks {
  afterApply: boolean;
}

/** Whether the assertions of a check block were found not to hold. */
export function isFailed({ status }: Pick<CheckBlock, "status">): boolean {
  return status === "FAILED" || status === "ERRORED";
}

/** One sentence about a check block that fails. */
export function checkProblem({ address, status, problems }: CheckBlock): string {
  const what = status === "ERRORED" ? "could not be evaluated" : "fails";
  return problems.length === 0 ? `${address} ${what}.` : `${address} ${what}: ${problems.join("; ")}`;
}
