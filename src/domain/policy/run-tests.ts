import { zstdCompressSync } from "node:zlib";
import { LIMITS } from "../../model/kit/limits.ts";
import { neutralContext } from "../../model/policy/neutral-context.ts";
import type { PolicyDialect } from "../../model/policy/policy-set.ts";
import type { PolicySource } from "../../model/policy/policy-source.ts";
import { type PolicyTest, type PolicyTestReport, testProblems } from "../../model/policy/policy-test.ts";
import type { Deps } from "../kit/deps.ts";
import { toContext } from "./document-input.ts";
import { WRITTEN_DOCUMENT_KEY } from "./plan-document.ts";
import type { TestFixture } from "./read-fixtures.ts";

/** A version whose tests are run. */
export interface TestedVersion {
  source: PolicySource;
  dialect: PolicyDialect;
  tests: readonly PolicyTest[];
  /** The fixtures that the tests name, by their ids. */
  fixtures: ReadonlyMap<string, TestFixture>;
  at: string;
}

/** Runs the tests of a version one after the other, each at its point. */
export async function runPolicyTests(
  { evaluator }: Pick<Deps, "evaluator">,
  { source, dialect, tests, fixtures, at }: TestedVersion,
): Promise<PolicyTestReport> {
  const results: PolicyTestReport["results"] = [];
  for (const { name, given, expect } of tests) {
    const fixture = fixtures.get(given.fixtureId ?? "");
    const { point } = given;
    const context = neutralContext(point, at, { ...fixture?.context, ...toContext(given.context) });
    const planned = fixture?.document ?? zstdCompressSync(given.document ?? "{}");
    const document = point === "RUN_CREATE" ? null : planned;
    const documentKey = fixture === undefined ? WRITTEN_DOCUMENT_KEY : fixture.documentKey;
    const input = { point, dialect, document, documentKey, context } as const;
    const judgement = await evaluator.judge(source, input, LIMITS.policyTrial);
    results.push({ name, problems: testProblems(expect, judgement) });
  }
  return { results };
}
