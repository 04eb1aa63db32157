/** What a test of a version says about a judgement. */
import { describe, expect, it } from "vitest";
import type { Judgement, PolicyFinding } from "../../../src/model/policy/evaluator.ts";
import { failedTests, type PolicyTest, testProblems } from "../../../src/model/policy/policy-test.ts";

function found(policy: string, rule: string, addresses: string[], message = "No."): PolicyFinding {
  const plain = { level: "MANDATORY", stopsAutoApply: true, addressesInferred: false } as const;
  return { ...plain, policy, rule, addresses, message, remediation: null, approvers: null, trace: null };
}
function problems(expected: Partial<PolicyTest["expect"]>, findings: PolicyFinding[], errors: string[] = []): string[] {
  const judgement: Judgement = {
    findings,
    errors: errors.map((message) => ({ policy: "tags", kind: "TIME", message })),
    passed: 0,
    dropped: 0,
    cpuMs: 0,
  };
  return testProblems({ failed: [], passed: [], ...expected }, judgement);
}
const failing = (rule: string | null = null, addresses: string[] | null = null) => ({
  failed: [{ policy: "tags", rule, addresses }],
});

describe("a test", () => {
  it("passes if the policies find what it expects", () => {
    expect(problems({}, [])).toEqual([]);
    expect(problems(failing(), [found("tags", "owner", ["a"])])).toEqual([]);
    expect(problems(failing("owner"), [found("tags", "owner", ["a"])])).toEqual([]);
    const both = [found("tags", "owner", ["b", "a"]), found("tags", "team", ["c", "a"])];
    expect(problems(failing(null, ["c", "b", "a", "a"]), both)).toEqual([]);
    expect(problems(failing("owner", ["a", "b"]), both)).toEqual([]);
    expect(problems({ passed: ["other"] }, both)).toEqual([]);
    expect(problems(failing(null, []), [found("tags", "owner", [])])).toEqual([]);
  });

  it("names each difference", () => {
    expect(problems(failing(), [found("other", "owner", [])])).toEqual(["The policy tags must fail, and passed."]);
    expect(problems(failing("owner"), [found("tags", "team", [])])).toEqual([
      "The rule owner of the policy tags must fail, and passed.",
    ]);
    expect(problems(failing("owner", ["a"]), [found("tags", "owner", ["b"])])).toEqual([
      "The rule owner of the policy tags must fail for a, and failed for b.",
    ]);
    expect(problems(failing(null, ["b", "a"]), [found("tags", "owner", [])])).toEqual([
      "The policy tags must fail for a, b, and failed for no address.",
    ]);
    expect(problems({ passed: ["tags", "other"] }, [found("tags", "owner", [], "No owner.")])).toEqual([
      "The policy tags must pass, and failed: No owner.",
    ]);
  });

  it("fails by any error, whatever it expects", () => {
    expect(problems(failing(), [found("tags", "owner", [])], ["It took too long."])).toEqual(["It took too long."]);
  });
});

it("lists the tests that failed", () => {
  const results = [
    { name: "good", problems: [] },
    { name: "bad", problems: ["No."] },
  ];
  expect(failedTests({ results }).map(({ name }) => name)).toEqual(["bad"]);
});
