import type { PolicyErrorKind, PolicyFinding } from "../../model/policy/evaluator.ts";
import type { CelRule, Policy } from "../../model/policy/policy-source.ts";

/** The parts of a finding that a policy has for all of its findings. */
type Settled = "policy" | "level" | "stopsAutoApply" | "remediation" | "approvers";

/** A finding as the process reports it: without those parts that are as the policy has them. */
export type ReportedFinding = Omit<PolicyFinding, Settled> & Partial<Pick<PolicyFinding, Settled>>;

/** Completes a finding with the parts that it shares with all findings of its policy. */
export function toFinding(
  policy: Policy & Partial<Pick<CelRule, "remediation" | "approvers">>,
  reported: ReportedFinding,
): PolicyFinding {
  const { name, level, stopsAutoApply, remediation = null, approvers = null } = policy;
  return { policy: name, level, stopsAutoApply, remediation, approvers, ...reported };
}

export interface ReportedError {
  kind: PolicyErrorKind;
  message: string;
}

/** The result of one policy. Findings and errors may come together. */
export interface PolicyReport {
  findings: ReportedFinding[];
  errors: ReportedError[];
  dropped: number;
}

/** A policy fails by this error where it cannot be judged. */
export class EvaluationError extends Error {
  override name = "EvaluationError";
  readonly kind: PolicyErrorKind;

  constructor(kind: PolicyErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Reports a policy that cannot be judged. */
export function failedReport(error: ReportedError): PolicyReport {
  return { findings: [], errors: [error], dropped: 0 };
}

/** Judges the policy at an index of its source. */
export type JudgePolicy = (index: number) => PolicyReport;
