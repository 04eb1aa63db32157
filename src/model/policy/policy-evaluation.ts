/** Evaluations: the judgement of one version of a policy set about a new run, or about one plan of a run. */
import type { TraceLine } from "./evaluator.ts";
import type { EnforcementLevel } from "./policy-set.ts";
import type { DemandedApprovers } from "./policy-source.ts";

/** The points at which evaluations of a run are stored. */
export const EVALUATION_POINTS = ["RUN_CREATE", "PLAN", "PRE_APPLY"] as const;
export type EvaluationPoint = (typeof EVALUATION_POINTS)[number];

/** WARNED: only advisory violations. FAILED: others. ERRORED: it could not be judged. CANCELED: the run did not wait. */
export const EVALUATION_STATUSES = ["PENDING", "RUNNING", "PASSED", "WARNED", "FAILED", "ERRORED", "CANCELED"] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

export interface PolicyEvaluation {
  id: string;
  runId: string;
  point: EvaluationPoint;
  /** 0 at RUN_CREATE. */
  planVersion: number;
  versionId: string;
  /** It is recorded and decides nothing. */
  isShadow: boolean;
  status: EvaluationStatus;
  /** The number of policies that passed. */
  passed: number;
  /** The number of results beyond the bound of a policy, which are not stored. */
  dropped: number;
  /** Why it could not be judged; `null` if it could. */
  error: string | null;
  cpuMs: number | null;
  createdAt: string;
  finishedAt: string | null;
}

/** The evaluations of a version, by their statuses. */
export interface EvaluationCounts {
  total: number;
  passed: number;
  warned: number;
  failed: number;
  errored: number;
}

/** WAIVED: an exception covers it. ERROR: the policy could not be judged. */
export const STORED_RESULT_STATUSES = ["FAILED", "WAIVED", "ERROR"] as const;
export type StoredResultStatus = (typeof STORED_RESULT_STATUSES)[number];

/** A violation, an error in place of a judgement, or a demand for approvals. */
export interface PolicyResult {
  id: string;
  evaluationId: string;
  policy: string;
  rule: string;
  level: EnforcementLevel;
  stopsAutoApply: boolean;
  status: StoredResultStatus;
  message: string;
  addresses: readonly string[];
  /** The addresses were found in the message. */
  addressesInferred: boolean;
  remediation: string | null;
  approvers: DemandedApprovers | null;
  trace: readonly TraceLine[] | null;
  /** Equal violations of other plans have the same one; hexadecimal. */
  fingerprint: string;
  /** The exception that covers it; `null` if none does. */
  exceptionId: string | null;
}

/** Returns the status of an evaluation with these results. */
export function evaluationStatus(
  results: readonly Pick<PolicyResult, "level" | "status">[],
): "PASSED" | "WARNED" | "FAILED" | "ERRORED" {
  if (results.some(({ status }) => status === "ERROR")) return "ERRORED";
  const failed = results.filter(({ status }) => status === "FAILED");
  if (failed.some(({ level }) => level !== "ADVISORY")) return "FAILED";
  return failed.length > 0 ? "WARNED" : "PASSED";
}
