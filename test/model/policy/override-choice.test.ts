/** Which failures an override names, and what is wrong with the names. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { chooseFailures, listIssues } from "../../../src/model/policy/override-choice.ts";
import type { Finding } from "../../../src/model/policy/verdict.ts";
import { DBA, finding } from "../../support/findings.ts";

const named = (resultIds: string[], evaluationIds: string[] = []) => ({ resultIds, evaluationIds });
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `id_${index}`);
const paths = (issues: { path: string; message: string }[]) => issues.map(({ path, message }) => [path, message]);

describe("the lists of an override", () => {
  it("have from one to so many names, each once", () => {
    expect(listIssues(named(["a"]))).toEqual([]);
    expect(listIssues(named([], ["a"]))).toEqual([]);
    expect(listIssues(named(many(LIMITS.resultsOverridden), many(LIMITS.evaluationsOverridden)))).toEqual([]);
    expect(paths(listIssues(named([])))).toEqual([
      ["resultIds", "must name results, unless `evaluationIds` names evaluations."],
    ]);
    expect(paths(listIssues(named(many(LIMITS.resultsOverridden + 1))))).toEqual([
      [
        "resultIds",
        "must name at most 5000 results. Name their evaluations in `evaluationIds` instead: that is all of their failures.",
      ],
    ]);
    expect(paths(listIssues(named([], many(LIMITS.evaluationsOverridden + 1))))).toEqual([
      ["evaluationIds", "must name at most 100 evaluations."],
    ]);
    expect(paths(listIssues(named(["a", "a"], ["b", "b"])))).toEqual([
      ["resultIds", "must name each result once."],
      ["evaluationIds", "must name each evaluation once."],
    ]);
  });
});

describe("the failures of an override", () => {
  const a1 = finding({ id: "a1" });
  const a2 = finding({ id: "a2" });
  const a3 = finding({ id: "a3", evaluationId: "peval_3" });
  const b1 = finding({ id: "b1", ownerId: "pset_2", owner: "network", evaluationId: "peval_2" });
  const check = finding({ id: "c1", source: "CHECK", ownerId: "chk_1", owner: "scanner", evaluationId: null });
  const choose = (names: ReturnType<typeof named>, findings: Finding[]) => {
    const { chosen, issues } = chooseFailures(names, findings);
    return {
      chosen: chosen.map(({ ownerId, failures }) => [ownerId, failures.map(({ id }) => id)]),
      issues: paths(issues),
    };
  };

  it("are all of an owner, by their results or by their evaluation", () => {
    const all = [a1, b1, a2, check];
    expect(choose(named(["a1", "a2"]), all)).toEqual({ chosen: [["pset_1", ["a1", "a2"]]], issues: [] });
    expect(choose(named([], ["peval_1"]), all)).toEqual({ chosen: [["pset_1", ["a1", "a2"]]], issues: [] });
    expect(choose(named(["c1"], ["peval_1"]), all)).toEqual({
      chosen: [
        ["pset_1", ["a1", "a2"]],
        ["chk_1", ["c1"]],
      ],
      issues: [],
    });
    expect(choose(named(["a3"], ["peval_1"]), [a1, a2, a3]).chosen).toEqual([["pset_1", ["a1", "a2", "a3"]]]);
  });

  it("leave out what is covered, advice, denials and demands", () => {
    const others = [
      finding({ id: "x1", status: "WAIVED", wasWaived: true }),
      finding({ id: "x2", status: "OVERRIDDEN" }),
      finding({ id: "x3", level: "ADVISORY" }),
      finding({ id: "x4", level: "MANDATORY" }),
      finding({ id: "x5", approvers: DBA }),
    ];
    expect(choose(named([], ["peval_1"]), [a1, ...others]).chosen).toEqual([["pset_1", ["a1"]]]);
    expect(choose(named(["x1", "x2", "x3", "x4", "x5", "x6", "a1"]), [a1, ...others])).toEqual({
      chosen: [["pset_1", ["a1"]]],
      issues: [
        ["resultIds.0", "needs no override: an exception covers it."],
        ["resultIds.1", "needs no override: an earlier one holds."],
        ["resultIds.2", "needs no override: it is ADVISORY."],
        [
          "resultIds.3",
          "must not be MANDATORY: no one overrides such a failure. Change the plan, or ask for an exception (requestPolicyException).",
        ],
        ["resultIds.4", 'must be a failure: this one demands approvals. Approve the stage "dba".'],
        ["resultIds.5", "must be a failed result of this plan."],
      ],
    });
  });

  it("may be covered by an exception that came while the run waited, and need not be named then", () => {
    const late = finding({ id: "late", status: "WAIVED" });
    const denial = finding({ id: "denial", status: "WAIVED", level: "MANDATORY" });
    expect(choose(named(["late"]), [late, denial])).toEqual({ chosen: [["pset_1", ["late"]]], issues: [] });
    expect(choose(named([], ["peval_1"]), [late, denial])).toEqual({ chosen: [["pset_1", ["late"]]], issues: [] });
    expect(choose(named(["a1"]), [a1, late])).toEqual({ chosen: [["pset_1", ["a1"]]], issues: [] });
    expect(choose(named(["late"]), [a1, late]).issues).toEqual([
      ["resultIds", expect.stringContaining("a1 is missing")],
    ]);
    expect(choose(named(["denial"]), [a1, denial]).issues[0]?.[1]).toContain("must not be MANDATORY");
  });

  it("count as others once the exception that covered them has ended", () => {
    const failed = finding({ id: "w1", wasWaived: true });
    const overridden = finding({ id: "w2", wasWaived: true, status: "OVERRIDDEN" });
    expect(choose(named(["w1", "w2"]), [failed, overridden])).toEqual({
      chosen: [["pset_1", ["w1"]]],
      issues: [["resultIds.1", "needs no override: an earlier one holds."]],
    });
  });

  it("must be complete", () => {
    const missing = (words: string) =>
      `must name all failures of "storage", which are overridden together: ${words} is missing.`;
    expect(choose(named(["a1"]), [a1, a2])).toEqual({ chosen: [], issues: [["resultIds", missing("a2")]] });
    expect(choose(named([], ["peval_1"]), [a1, a2, a3, b1])).toEqual({
      chosen: [],
      issues: [["resultIds", missing("a3")]],
    });
    expect(choose(named(["a2"]), [a1, a2, a3]).issues).toEqual([["resultIds", missing("a1 and 1 more")]]);
  });

  it("are of evaluations with failures that wait", () => {
    const words = "must be an evaluation of this plan with failures that wait for an override.";
    const passed = finding({ id: "x", evaluationId: "peval_4", level: "ADVISORY" });
    expect(choose(named([], ["peval_1", "peval_4", "peval_5"]), [a1, passed, check])).toEqual({
      chosen: [["pset_1", ["a1"]]],
      issues: [
        ["evaluationIds.1", words],
        ["evaluationIds.2", words],
      ],
    });
  });
});
