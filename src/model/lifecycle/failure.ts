/** The content of a failure, and how it follows from the report of a runner. */
import type { Diagnostic } from "../plan/diagnostic.ts";
import { LIMITS } from "../kit/limits.ts";
import { type EngineName, reasonOf, type ReportedError } from "./failure-classification.ts";
import {
  FAILURES,
  type FailureCategory,
  type FailureCode,
  type FailureDefinition,
  type FailureStage,
} from "./failure-code.ts";
import { FAILURE_REASONS, type FailureReason, type ReasonDefinition } from "./failure-reason.ts";

/** A failure as a runner or the system reports it. All text is masked. */
export interface FailureReport {
  code: FailureCode;
  /** The stage that the reporter observed; used if the code does not determine it. */
  stage?: FailureStage;
  /** A single line. */
  summary: string;
  /** The full text of the engine. */
  message: string;
  likelyCause?: string | undefined;
  /** Up to six log lines. */
  evidence: string[];
  /** The changes that an apply made before it ended; absent if they are not known. */
  appliedAddresses?: string[] | undefined;
  /** The result of the apply is not known. */
  stateUncertain?: boolean | undefined;
  /** Ids of the workspaces upstream that it is about. Texts do not name them: readers of the run may not see them. */
  upstreamIds?: string[] | undefined;
  /** The errors of the engine. Absent: none, or a reporter that does not list them. */
  errors?: ReportedError[] | undefined;
  /** The errors and warnings of the engine's JSON output. Absent: none, or a reporter that does not list them. */
  diagnostics?: Diagnostic[] | undefined;
  /** The engine that wrote the errors. */
  engine?: EngineName | undefined;
  /** Why it failed, where the reporter knows that without errors of an engine. */
  reason?: FailureReason | null | undefined;
  /** The code of what led to this failure, such as that of the engine in a rollback. */
  cause?: FailureCode | undefined;
}

/** An error of the engine about one resource, or about none. */
export interface FailedResource {
  /** `null` if the error is about no single resource. */
  address: string | null;
  /** `null` if it is not known. */
  reason: FailureReason | null;
  summary: string;
}

export interface Failure {
  code: FailureCode;
  stage: FailureStage;
  category: FailureCategory;
  retryable: boolean;
  /** Why it failed; `null` if that is not known. */
  reason: FailureReason | null;
  /** The code of what led to it, if `code` states something else: how far the run got, or that a rollback failed. */
  cause: FailureCode | null;
  summary: string;
  message: string;
  likelyCause: string | null;
  evidence: string[];
  appliedAddresses: string[] | null;
  stateUncertain: boolean;
  /** Every error of the engine, at most `failureErrors` of the limits. */
  resources: FailedResource[];
  /** Ids of the workspaces upstream that it is about; absent: none. */
  upstreamIds?: string[];
}

/** The codes of an engine that failed on its own: only its errors can state why. */
export const ENGINE_FAILURES: readonly FailureCode[] = [
  "INIT_FAILED",
  "PLAN_FAILED",
  "APPLY_FAILED",
  "APPLY_PARTIAL",
  "DESTROY_FAILED",
  "HANDOVER_FAILED",
];
const OF_STATE: readonly FailureCode[] = ["PLAN_STALE", "STATE_LOCK_HELD", "STATE_NOT_SAVED"];

function reasonOfReport({ code, errors = [], engine, reason = null }: FailureReport): FailureReason | null {
  if (reason !== null) return reason;
  if (OF_STATE.includes(code)) return "STATE";
  return ENGINE_FAILURES.includes(code) ? reasonOf(errors, engine ?? null) : null;
}

/**
 * Whether the reason decides the code: nothing was applied, and that is certain. Else the code states how far the run
 * got, which must not be lost.
 */
function isUnchanged({ code, appliedAddresses, stateUncertain }: FailureReport, applying: boolean): boolean {
  if (!applying || code === "HANDOVER_FAILED") return true;
  return code !== "APPLY_PARTIAL" && stateUncertain !== true && appliedAddresses?.length === 0;
}

/** A hook with a purpose fails in the stage of that purpose. */
const CATEGORY_OF_HOOK: Partial<Record<FailureStage, FailureCategory>> = {
  PUBLISH: "BUILD_FAILURE",
  ROLLOUT: "STARTUP_FAILURE",
};

/**
 * Completes a report by the registry and finds its reason. `applying`: infrastructure may have changed. Otherwise the
 * state is certain, even if a runner reports that it is not.
 */
export function toFailure(report: FailureReport, applying: boolean): Failure {
  const reason = reasonOfReport(report);
  const why: ReasonDefinition | null = reason === null ? null : FAILURE_REASONS[reason];
  const decides = why !== null && isUnchanged(report, applying);
  const code = (decides ? why.code : null) ?? report.code;
  const definition: FailureDefinition = FAILURES[code];
  const stage = (decides ? why.stage : null) ?? definition.stage ?? report.stage ?? "UNKNOWN";
  const ofHook = code === "HOOK_FAILED" ? CATEGORY_OF_HOOK[stage] : undefined;
  const isOfApply = applying || definition.ofApply === true;
  const ofReason = (isOfApply ? why?.categoryOfApply : undefined) ?? why?.category;
  const stateUncertain = applying && (report.stateUncertain ?? false);
  const retryable = definition.retryable === "before apply" ? !applying : definition.retryable;
  return {
    code,
    stage,
    category: ofHook ?? ofReason ?? definition.category,
    retryable: !stateUncertain && (why?.retryable ?? retryable),
    reason,
    cause: report.cause ?? (why === null || why.code === code ? null : why.code),
    summary: report.summary,
    message: report.message,
    likelyCause: report.likelyCause ?? null,
    evidence: report.evidence.slice(0, 6),
    appliedAddresses: report.appliedAddresses ?? null,
    stateUncertain,
    resources: toResources(report),
    ...(report.upstreamIds !== undefined && { upstreamIds: report.upstreamIds }),
  };
}

function toResources({ errors = [], engine }: FailureReport): FailedResource[] {
  return errors.slice(0, LIMITS.failureErrors).map((error) => {
    const address = error.address === undefined || error.address === "" ? null : error.address;
    return { address, reason: reasonOf([error], engine ?? null), summary: error.summary };
  });
}
