/** The catalogue of failures: every code and every reason, with a sample and what to do. */
import { FAILURE_CODES, FAILURES, type FailureCategory, type FailureCode, type FailureStage } from "./failure-code.ts";
import { FAILURE_FIXES } from "./failure-fix.ts";
import { FAILURE_REASON_NAMES, FAILURE_REASONS, type FailureReason, type ReasonDefinition } from "./failure-reason.ts";

export interface FailureEntry {
  /** `null`: a reason that leaves the code to the leg. */
  code: FailureCode | null;
  /** `null`: the entry of a code, without a reason. */
  reason: FailureReason | null;
  /** `null`: the stage in which the run was. */
  stage: FailureStage | null;
  category: FailureCategory;
  /** Whether a new plan may succeed without a change by a person; `null`: that of the code. */
  retryable: boolean | null;
  meaning: string;
  /** A message of an engine or a provider; `null` for a code. */
  sample: string | null;
  fix: string;
}

function entryOfCode(code: FailureCode): FailureEntry {
  const { stage, category, retryable, meaning } = FAILURES[code];
  // A lost runner: a retry is safe only while nothing was applied.
  const certain = retryable === "before apply" ? false : retryable;
  return { code, reason: null, stage, category, retryable: certain, meaning, sample: null, fix: FAILURE_FIXES[code] };
}

function entryOfReason(reason: FailureReason): FailureEntry {
  const definition: ReasonDefinition = FAILURE_REASONS[reason];
  const { code, category, retryable, meaning, sample, fix } = definition;
  const stage = definition.stage ?? (code === null ? null : FAILURES[code].stage);
  return { code, reason, stage, category, retryable, meaning, sample, fix };
}

/** Every entry: the reasons in the order in which they are looked for, then the codes. */
export const FAILURE_CATALOGUE: readonly FailureEntry[] = [
  ...FAILURE_REASON_NAMES.map(entryOfReason),
  ...FAILURE_CODES.map(entryOfCode),
];
