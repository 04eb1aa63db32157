/** Makes the stored results of an evaluation out of a judgement. */
import { createHash } from "node:crypto";
import type { NewId } from "../../model/kit/id.ts";
import type { Judgement, PolicyError, PolicyFinding } from "../../model/policy/evaluator.ts";
import { JUDGEMENT_LIMITS } from "../../model/policy/judgement-limits.ts";
import type { PolicyResult } from "../../model/policy/policy-evaluation.ts";
import { ENFORCEMENT_LEVELS, type EnforcementLevel, type PolicyErrorMode } from "../../model/policy/policy-set.ts";
import type { Policy } from "../../model/policy/policy-source.ts";

export type NewResult = Omit<PolicyResult, "evaluationId" | "exceptionId">;

/** The policy set of an evaluation, and those of its policies that were asked. */
export interface JudgedSet {
  setId: string;
  onError: PolicyErrorMode;
  policies: readonly Policy[];
}

/** Returns the results in the order of the judgement: violations and demands, then errors. */
export function resultsOf(newId: NewId, set: JudgedSet, { findings, errors }: Judgement): NewResult[] {
  return [
    ...findings.map((finding) => ofFinding(newId, set, finding)),
    ...errors.map((error) => ofError(newId, set, error)),
  ];
}

/** Returns the result for policies none of which could be judged. `mode`: the set's own, unless the error decides. */
export function errorResult(newId: NewId, set: JudgedSet, message: string, mode = set.onError): NewResult {
  return ofError(newId, { ...set, onError: mode }, { policy: "", kind: "CRASH", message });
}

function ofFinding(newId: NewId, { setId }: JudgedSet, finding: PolicyFinding): NewResult {
  const message = bounded(finding.message);
  const addresses = finding.addresses.slice(0, JUDGEMENT_LIMITS.addressesPerResult);
  return {
    id: newId("policyResult"),
    policy: finding.policy,
    rule: finding.rule,
    level: finding.level,
    stopsAutoApply: finding.stopsAutoApply,
    status: "FAILED",
    message,
    addresses,
    addressesInferred: finding.addressesInferred,
    remediation: finding.remediation === null ? null : bounded(finding.remediation),
    approvers: finding.approvers,
    trace: finding.trace,
    fingerprint: fingerprintOf([setId, finding.policy, finding.rule, addresses.toSorted(), message]),
  };
}

function ofError(newId: NewId, { setId, onError, policies }: JudgedSet, error: PolicyError): NewResult {
  const message = bounded(error.message);
  const policy = policies.find(({ name }) => name === error.policy);
  return {
    id: newId("policyResult"),
    policy: error.policy,
    rule: error.policy,
    level: levelOfError(onError, policy === undefined ? policies : [policy]),
    // An error may hide a violation that would stop it.
    stopsAutoApply: true,
    status: "ERROR",
    message,
    addresses: [],
    addressesInferred: false,
    remediation: null,
    approvers: null,
    trace: null,
    fingerprint: fingerprintOf([setId, error.policy, "error", [], message]),
  };
}

/** An error has the effect of a violation of the strictest policy that it hides, unless the set decides otherwise. */
function levelOfError(onError: PolicyErrorMode, hidden: readonly Policy[]): EnforcementLevel {
  if (onError === "ASK") return "SOFT_MANDATORY";
  if (onError === "FAIL_OPEN") return "ADVISORY";
  return ENFORCEMENT_LEVELS.findLast((level) => hidden.some((policy) => policy.level === level)) ?? "MANDATORY";
}

function bounded(text: string): string {
  const most = JUDGEMENT_LIMITS.messageLength;
  return text.length <= most ? text.toWellFormed() : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function fingerprintOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
