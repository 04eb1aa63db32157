/** Tests of a version: documents, and what its policies must find in them. */
import type { Judgement } from "./evaluator.ts";
import type { PolicyPoint } from "./policy-set.ts";

/** A policy that must find a violation, or demand approvals. */
export interface ExpectedFailure {
  policy: string;
  /** `null`: any rule. */
  rule: string | null;
  /** All addresses that it must name, in any order; `null`: any. */
  addresses: readonly string[] | null;
}

/** The input of a test: a document of its own, or a fixture of the set. Documents and contexts are JSON texts. */
export interface PolicyTestGiven {
  /** The moment whose policies are asked. At RUN_CREATE there is no document: a fixture gives its context alone. */
  point: PolicyPoint;
  document: string | null;
  fixtureId: string | null;
  /** In place of neutral values, or of those of the fixture. */
  context: string | null;
}

export interface PolicyTest {
  name: string;
  given: PolicyTestGiven;
  expect: { failed: readonly ExpectedFailure[]; passed: readonly string[] };
}

export interface PolicyTestResult {
  name: string;
  /** Each difference from what was expected, in words; empty if the test passed. */
  problems: string[];
}

/** The results of the tests of a version, in their order, when it was pushed. */
export interface PolicyTestReport {
  results: PolicyTestResult[];
}

/** Returns the names of the tests that failed. */
export function failedTests({ results }: PolicyTestReport): PolicyTestResult[] {
  return results.filter(({ problems }) => problems.length > 0);
}

/** Compares a judgement with what a test expects; returns each difference in words. */
export function testProblems({ failed, passed }: PolicyTest["expect"], { findings, errors }: Judgement): string[] {
  const problems = errors.map(({ message }) => message);
  for (const { policy, rule, addresses } of failed) {
    const name = rule === null ? `The policy ${policy}` : `The rule ${rule} of the policy ${policy}`;
    const found = findings.filter((one) => one.policy === policy && (rule === null || one.rule === rule));
    if (found.length === 0) problems.push(`${name} must fail, and passed.`);
    else if (addresses !== null) {
      const named = listed(found.flatMap((one) => one.addresses));
      const wanted = listed(addresses);
      if (named !== wanted) problems.push(`${name} must fail for ${wanted}, and failed for ${named}.`);
    }
  }
  for (const policy of passed) {
    const found = findings.find((one) => one.policy === policy);
    if (found !== undefined) problems.push(`The policy ${policy} must pass, and failed: ${found.message}`);
  }
  return problems;
}

function listed(addresses: readonly string[]): string {
  const sorted = [...new Set(addresses)].toSorted();
  return sorted.length === 0 ? "no address" : sorted.join(", ");
}
