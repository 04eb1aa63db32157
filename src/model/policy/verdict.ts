/** Decides about a run from everything that policies and external checks found. Pure. */
import type { JudgePoint } from "./judge.ts";
import type { JudgedVerdict } from "../lifecycle/run-machine.ts";
import type { EnforcementLevel } from "./policy-set.ts";
import type { DemandedApprovers } from "./policy-source.ts";

/**
 * ERROR: it could not be judged. WAIVED: an exception covers it. OVERRIDDEN: people accepted it. APPROVED: people met the demand in
 * the PLAN run of an APPLY.
 */
export type FindingStatus = "FAILED" | "ERROR" | "WAIVED" | "OVERRIDDEN" | "APPROVED";

/** A violation, an error in place of a judgement, or a demand for approvals. */
export interface Finding {
  /** The id of the result of a policy, or of that of an external check. */
  id: string;
  source: "POLICY" | "CHECK";
  /** The point at which it was found. */
  point: JudgePoint | "RUN_CREATE";
  /** The id of the evaluation; `null` for an external check. */
  evaluationId: string | null;
  /** The id of the version of the policy set, or of the external check. */
  judgeId: string;
  /** The id of the policy set, or of the external check. */
  ownerId: string;
  /** The name of the policy set, or of the external check. */
  owner: string;
  policy: string;
  rule: string;
  /** For an error that of the mode of errors of its set. */
  level: EnforcementLevel;
  stopsAutoApply: boolean;
  status: FindingStatus;
  /** An exception covered it at the last verdict. */
  wasWaived: boolean;
  message: string;
  addresses: readonly string[];
  /** Set: it demands approvals and is no violation. */
  approvers: DemandedApprovers | null;
  /** Equal findings of other plans have the same one; hexadecimal. */
  fingerprint: string;
}

/** Whether a finding is a failure that people may override, and that nothing covers yet. */
export function isOpenFailure({ level, status, approvers }: Finding): boolean {
  const isCovered = status === "WAIVED" || status === "OVERRIDDEN";
  return level === "SOFT_MANDATORY" && approvers === null && !isCovered;
}

export interface Verdict {
  verdict: JudgedVerdict;
  /** They reject the run. */
  denials: readonly Finding[];
  /** People may override them. */
  asks: readonly Finding[];
  /** They demand approvals. */
  demands: readonly Finding[];
  /** They are shown and do not hold up the run. */
  advice: readonly Finding[];
  /** The number of the advisory findings that stop auto-apply. */
  warnings: number;
}

/** Decides by what was found. An exception or an override takes a finding out of the count. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const counted = findings.filter(({ status }) => status === "FAILED" || status === "ERROR");
  const demands = counted.filter(({ approvers }) => approvers !== null);
  const violations = counted.filter(({ approvers }) => approvers === null);
  const at = (level: EnforcementLevel): Finding[] => violations.filter((finding) => finding.level === level);
  const [denials, asks, advice] = [at("MANDATORY"), at("SOFT_MANDATORY"), at("ADVISORY")];
  return {
    verdict: denials.length > 0 ? "denied" : asks.length + demands.length > 0 ? "asks" : "passed",
    denials,
    asks,
    demands,
    advice,
    warnings: advice.filter(({ stopsAutoApply }) => stopsAutoApply).length,
  };
}

/**
 * Decides before an apply. What was found about the plan and let people decide was accepted by them at the plan gate. No gate
 * follows, so that a question counts as a denial. `judgeIds`: the judges of now; others found it for versions that are retired.
 */
export function verdictBeforeApply(findings: readonly Finding[], judgeIds: ReadonlySet<string>): Verdict {
  const accepted = new Set(
    findings
      .filter((finding) => finding.point === "PLAN" && !finding.wasWaived && mayBeAccepted(finding))
      .map(({ fingerprint }) => fingerprint),
  );
  const current = findings.filter(({ judgeId }) => judgeIds.has(judgeId));
  const counted = current.map((finding): Finding => {
    const isAccepted = mayBeAccepted(finding) && accepted.has(finding.fingerprint) && finding.status !== "WAIVED";
    return isAccepted ? { ...finding, status: "OVERRIDDEN" } : finding;
  });
  return verdictOf(counted);
}

function mayBeAccepted({ level, approvers }: Finding): boolean {
  return level === "SOFT_MANDATORY" || approvers !== null;
}

/** Returns what rejects a run: denials, or else what no gate is left for. */
export function rejecting({ denials, asks, demands }: Verdict): readonly Finding[] {
  return denials.length > 0 ? denials : [...asks, ...demands];
}
