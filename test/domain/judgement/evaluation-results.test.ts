/** The stored results of a judgement: their levels, their bounds, and the fingerprints by which they are equal. */
import { describe, expect, it } from "vitest";
import { errorResult, type JudgedSet, resultsOf } from "../../../src/domain/policy/evaluation-results.ts";
import type { Judgement, PolicyError, PolicyFinding } from "../../../src/model/policy/evaluator.ts";
import { JUDGEMENT_LIMITS } from "../../../src/model/policy/judgement-limits.ts";
import type { EnforcementLevel, PolicyErrorMode } from "../../../src/model/policy/policy-set.ts";
import { DBA } from "../../support/findings.ts";

let count = 0;
const newId = (kind: string): string => `${kind}_${++count}`;

function found(changes: Partial<PolicyFinding> = {}): PolicyFinding {
  return {
    policy: "tags",
    rule: "owner",
    level: "MANDATORY",
    stopsAutoApply: true,
    message: "No owner.",
    addresses: ["a", "b"],
    addressesInferred: false,
    remediation: null,
    approvers: null,
    trace: null,
    ...changes,
  };
}
const policy = (name: string, level: EnforcementLevel) =>
  ({ name, point: "PLAN", level, stopsAutoApply: true }) as const;
const SET: JudgedSet = {
  setId: "pset_1",
  onError: "FAIL_CLOSED",
  policies: [policy("tags", "ADVISORY"), policy("buckets", "SOFT_MANDATORY")],
};
const ERROR: PolicyError = { policy: "tags", kind: "TIME", message: "It took too long." };
function judgement(findings: PolicyFinding[], errors: PolicyError[] = []): Judgement {
  return { findings, errors, passed: 0, dropped: 0, cpuMs: 0 };
}
const results = (findings: PolicyFinding[], errors: PolicyError[] = [], set = SET) =>
  resultsOf(newId as never, set, judgement(findings, errors));
const [plain] = results([found()]);

describe("a finding", () => {
  it("is stored as it was found", () => {
    const trace = [{ expression: "x", value: "1" }];
    const [stored] = results([
      found({ remediation: "Add one.", approvers: DBA, trace, addressesInferred: true, stopsAutoApply: false }),
    ]);
    expect(stored).toEqual({
      id: expect.stringMatching(/^policyResult_/),
      policy: "tags",
      rule: "owner",
      level: "MANDATORY",
      stopsAutoApply: false,
      status: "FAILED",
      message: "No owner.",
      addresses: ["a", "b"],
      addressesInferred: true,
      remediation: "Add one.",
      approvers: DBA,
      trace,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("is bounded in its texts and addresses", () => {
    const most = JUDGEMENT_LIMITS.messageLength;
    const addresses = Array.from({ length: JUDGEMENT_LIMITS.addressesPerResult + 1 }, (_, index) => `a.${index}`);
    const [stored] = results([found({ message: "x".repeat(most + 1), remediation: "\ud800y", addresses })]);
    expect(stored?.message).toBe(`${"x".repeat(most - 1)}…`);
    expect(stored?.remediation).toBe("\ufffdy");
    expect(stored?.addresses).toEqual(addresses.slice(0, -1));
    const [whole] = results([found({ message: "x".repeat(most) })]);
    expect(whole?.message).toBe("x".repeat(most));
    // A character of two parts is not cut in its middle.
    const [cut] = results([found({ message: `${"x".repeat(most - 2)}😀😀` })]);
    expect(cut?.message.isWellFormed()).toBe(true);
  });

  it("has the fingerprint of equal ones, whatever the order of addresses", () => {
    const equal = [found({ addresses: ["b", "a"] }), found({ level: "ADVISORY", remediation: "Add one." })];
    expect(results(equal).map(({ fingerprint }) => fingerprint)).toEqual([plain?.fingerprint, plain?.fingerprint]);
  });

  it.each<[string, Partial<PolicyFinding>]>([
    ["policy", { policy: "buckets" }],
    ["rule", { rule: "team" }],
    ["message", { message: "No team." }],
    ["address", { addresses: ["a"] }],
  ])("of another %s has another fingerprint", (_name, changes) => {
    expect(results([found(changes)])[0]?.fingerprint).not.toBe(plain?.fingerprint);
  });

  it("of another set has another fingerprint", () => {
    expect(results([found()], [], { ...SET, setId: "pset_2" })[0]?.fingerprint).not.toBe(plain?.fingerprint);
  });
});

describe("an error", () => {
  const levelOf = (onError: PolicyErrorMode, name: string, policies = SET.policies) =>
    results([], [{ ...ERROR, policy: name }], { ...SET, onError, policies })[0]?.level;

  it("stands behind the findings, and stops auto-apply", () => {
    expect(results([found()], [ERROR])[1]).toEqual({
      id: expect.stringMatching(/^policyResult_/),
      policy: "tags",
      rule: "tags",
      level: "ADVISORY",
      stopsAutoApply: true,
      status: "ERROR",
      message: "It took too long.",
      addresses: [],
      addressesInferred: false,
      remediation: null,
      approvers: null,
      trace: null,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("has the level of its policy, of the strictest if it is of none, or of the mode of its set", () => {
    expect(levelOf("FAIL_CLOSED", "buckets")).toBe("SOFT_MANDATORY");
    expect(levelOf("FAIL_CLOSED", "")).toBe("SOFT_MANDATORY");
    expect(levelOf("FAIL_CLOSED", "", [...SET.policies, policy("more", "MANDATORY")])).toBe("MANDATORY");
    expect(levelOf("FAIL_CLOSED", "", [])).toBe("MANDATORY");
    expect([levelOf("ASK", "tags"), levelOf("FAIL_OPEN", "buckets")]).toEqual(["SOFT_MANDATORY", "ADVISORY"]);
  });

  it("of all policies has the mode of the set, unless another one is given", () => {
    const failed = errorResult(newId as never, SET, "There is no document.");
    expect(failed).toMatchObject({
      policy: "",
      level: "SOFT_MANDATORY",
      status: "ERROR",
      message: "There is no document.",
    });
    expect(errorResult(newId as never, SET, "There is no document.", "FAIL_OPEN").level).toBe("ADVISORY");
  });

  it("has a fingerprint by set, policy and message, and none of a finding", () => {
    const prints = [
      results([], [ERROR])[0],
      results([], [{ ...ERROR, message: "It is broken." }])[0],
      results([], [{ ...ERROR, policy: "buckets" }])[0],
      results([], [ERROR], { ...SET, setId: "pset_2" })[0],
      results([found({ rule: "tags", message: ERROR.message, addresses: [] })])[0],
    ].map((one) => one?.fingerprint);
    expect(new Set(prints).size).toBe(5);
    expect(results([], [{ ...ERROR, kind: "MEMORY" }])[0]?.fingerprint).toBe(prints[0]);
  });
});
