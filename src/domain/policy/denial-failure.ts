/** Describes verdicts in words: the failures of runs that policies and external checks rejected. */
import type { FailureReport } from "../../model/lifecycle/failure.ts";
import { type Finding, rejecting, type Verdict } from "../../model/policy/verdict.ts";

/** Lines of evidence in a failure. */
const EVIDENCE_LINES = 6;
/** Addresses that a line names. */
const ADDRESSES_NAMED = 3;

/** Builds the failure of a run that is rejected. POLICY_ERROR: nothing was found, but something could not be judged. */
export function denialFailure(verdict: Verdict): FailureReport {
  const found = rejecting(verdict);
  const violations = found.filter(({ status }) => status !== "ERROR");
  const [first] = violations.length > 0 ? violations : found;
  const code = violations.length > 0 ? "POLICY_DENIED" : "POLICY_ERROR";
  const summary = `${first === undefined ? "A policy denies the run." : sentenceOf(first)}${others(found.length - 1)}`;
  const lines = found.slice(0, EVIDENCE_LINES).map(lineOf);
  const advice =
    code === "POLICY_DENIED"
      ? "Change what the results name, or request an exception. Then run again."
      : "Ask the owners of the policy set. Then run again.";
  return { code, summary, message: [...lines, advice].join("\n"), evidence: lines };
}

function others(count: number): string {
  return count > 0 ? ` And ${count} more.` : "";
}

/** A single line for a person: the policy, the rule and the addresses. */
function sentenceOf(finding: Finding): string {
  const { status, message, approvers } = finding;
  const name = nameOf(finding);
  if (status === "ERROR") return `${name} could not be judged: ${oneLine(message)}`;
  if (approvers !== null) return `${name} demands approvals by ${approvers.name}, and no gate follows.`;
  return `${name} denies it${addressesOf(finding)}: ${oneLine(message)}`;
}

function lineOf(finding: Finding): string {
  return `${nameOf(finding)}${addressesOf(finding)}: ${oneLine(finding.message)}`;
}

function nameOf({ source, owner, policy, rule }: Finding): string {
  if (source === "CHECK") return `The check ${owner}`;
  return `The policy ${owner}/${policy}${rule === policy ? "" : `, rule ${rule},`}`;
}

function addressesOf({ addresses }: Finding): string {
  if (addresses.length === 0) return "";
  const more = addresses.length - ADDRESSES_NAMED;
  return ` at ${addresses.slice(0, ADDRESSES_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299).toWellFormed()}…` : line;
}
