/** Decides which failures of a plan an override is about. */
import { LIMITS } from "../kit/limits.ts";
import { type Finding, isOpenFailure } from "./verdict.ts";

/** Failures by their results, and by the evaluations whose failures are all meant. */
export interface NamedFailures {
  resultIds: readonly string[];
  evaluationIds: readonly string[];
}

/** All open failures of a policy set, or of an external check. */
export interface OwnFailures {
  ownerId: string;
  failures: Finding[];
}

/** A problem with a field of the input. */
export interface ChoiceIssue {
  path: string;
  message: string;
}

/** Returns what is wrong with the lists themselves. */
export function listIssues({ resultIds, evaluationIds }: NamedFailures): ChoiceIssue[] {
  const issues: ChoiceIssue[] = [];
  const [mostResults, mostEvaluations] = [LIMITS.resultsOverridden, LIMITS.evaluationsOverridden];
  if (resultIds.length + evaluationIds.length === 0) {
    issues.push({ path: "resultIds", message: "must name results, unless `evaluationIds` names evaluations." });
  }
  if (resultIds.length > mostResults) {
    const message = `must name at most ${mostResults} results. Name their evaluations in \`evaluationIds\` instead: that is all of their failures.`;
    issues.push({ path: "resultIds", message });
  }
  if (evaluationIds.length > mostEvaluations) {
    issues.push({ path: "evaluationIds", message: `must name at most ${mostEvaluations} evaluations.` });
  }
  if (new Set(resultIds).size < resultIds.length) {
    issues.push({ path: "resultIds", message: "must name each result once." });
  }
  if (new Set(evaluationIds).size < evaluationIds.length) {
    issues.push({ path: "evaluationIds", message: "must name each evaluation once." });
  }
  return issues;
}

/**
 * Returns the named failures by owner. There is an issue for each name that cannot be overridden, and for the failures of the
 * same owners that are left out. `findings`: all about the plan.
 */
export function chooseFailures(
  { resultIds, evaluationIds }: NamedFailures,
  findings: readonly Finding[],
): { chosen: OwnFailures[]; issues: ChoiceIssue[] } {
  const issues: ChoiceIssue[] = [];
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  for (const [index, id] of resultIds.entries()) {
    const message = problemOf(byId.get(id));
    if (message !== null) issues.push({ path: `resultIds.${index}`, message });
  }
  const overridable = findings.filter(isOverridable);
  const evaluations = new Set(overridable.map(({ evaluationId }) => evaluationId));
  for (const [index, id] of evaluationIds.entries()) {
    if (evaluations.has(id)) continue;
    const message = "must be an evaluation of this plan with failures that wait for an override.";
    issues.push({ path: `evaluationIds.${index}`, message });
  }
  const [results, wholes] = [new Set(resultIds), new Set(evaluationIds)];
  const isNamed = ({ id, evaluationId }: Finding): boolean =>
    results.has(id) || (evaluationId !== null && wholes.has(evaluationId));
  const chosen: OwnFailures[] = [];
  for (const [ownerId, failures] of Map.groupBy(overridable, (finding) => finding.ownerId)) {
    const [own, others] = [failures.filter(isNamed), failures.filter((finding) => !isNamed(finding))];
    const left = others.filter(isOpenFailure);
    if (own.length === 0) continue;
    if (left.length === 0) chosen.push({ ownerId, failures: own });
    else issues.push({ path: "resultIds", message: missingWords(left) });
  }
  return { chosen, issues };
}

/**
 * Whether a failure can be overridden: it is open, or was until an exception covered it while the run waited. Its stage is there
 * still, and would hold the run for ever.
 */
function isOverridable(finding: Finding): boolean {
  const isLate = finding.status === "WAIVED" && !finding.wasWaived;
  return isOpenFailure(isLate ? { ...finding, status: "FAILED" } : finding);
}

function missingWords(left: readonly Finding[]): string {
  const [first] = left;
  const rest = left.length === 1 ? "" : ` and ${left.length - 1} more`;
  return `must name all failures of "${first?.owner ?? ""}", which are overridden together: ${first?.id ?? ""}${rest} is missing.`;
}

function problemOf(finding: Finding | undefined): string | null {
  if (finding === undefined) return "must be a failed result of this plan.";
  if (finding.approvers !== null) {
    return `must be a failure: this one demands approvals. Approve the stage "${finding.approvers.name}".`;
  }
  if (finding.status === "WAIVED" && finding.wasWaived) return "needs no override: an exception covers it.";
  if (finding.status === "OVERRIDDEN") return "needs no override: an earlier one holds.";
  if (finding.level === "MANDATORY") {
    return "must not be MANDATORY: no one overrides such a failure. Change the plan, or ask for an exception (requestPolicyException).";
  }
  return finding.level === "ADVISORY" ? "needs no override: it is ADVISORY." : null;
}
