/** Which policies and external checks judge a run, and when. */
import { describe, expect, it } from "vitest";
import { RUN_KINDS, type RunKind } from "../../../src/model/lifecycle/run-kind.ts";
import {
  covers,
  type Judge,
  judgedPoints,
  judgesAt,
  type PassedJudgement,
  requiredBefore,
} from "../../../src/model/policy/judge.ts";

const judge = (changes: Partial<Judge> = {}): Judge => ({
  type: "POLICY",
  id: "pver_1",
  name: "storage",
  points: ["PLAN"],
  kinds: null,
  judgesUnchanged: false,
  isShadow: false,
  ...changes,
});
const ids = (judges: readonly Judge[]): string[] => judges.map(({ id }) => id);
const changed = { hasChanges: true };
const unchanged = { hasChanges: false };

describe("the judges at a point", () => {
  it("are those that have it, shadows as well", () => {
    const judges = [judge(), judge({ id: "shadow", isShadow: true }), judge({ id: "later", points: ["PRE_APPLY"] })];
    const run = { kind: "DEPLOY", plan: changed } as const;
    expect(ids(judgesAt(judges, "PLAN", run))).toEqual(["pver_1", "shadow"]);
    expect(ids(judgesAt(judges, "PRE_APPLY", run))).toEqual(["later"]);
    expect(judgesAt(judges, "PRE_PLAN", run)).toEqual([]);
  });

  it("are of the kinds of runs that have the point", () => {
    const points = ["RUN_CREATE", "PRE_PLAN", "PLAN", "PRE_APPLY"] as const;
    const kindsOf = (type: Judge["type"], point: (typeof points)[number]): RunKind[] =>
      RUN_KINDS.filter((kind) => judgesAt([judge({ type, points: [point] })], point, { kind, plan: null }).length > 0);
    const of = (type: Judge["type"]) => points.map((point) => kindsOf(type, point).toSorted());
    expect(of("POLICY")).toEqual([
      ["APPLY", "DEPLOY", "DESTROY", "PLAN", "TASK"],
      [],
      ["APPLY", "DEPLOY", "DESTROY", "PLAN"],
      ["APPLY", "DEPLOY", "DESTROY"],
    ]);
    expect(of("CHECK")).toEqual([
      [],
      ["DEPLOY", "DESTROY", "PLAN", "TASK"],
      ["APPLY", "DEPLOY", "DESTROY", "PLAN"],
      ["APPLY", "DEPLOY", "DESTROY", "TASK"],
    ]);
  });

  it("are of the kinds that they select", () => {
    const selective = [judge({ kinds: ["DESTROY"] })];
    expect(judgesAt(selective, "PLAN", { kind: "DEPLOY", plan: null })).toEqual([]);
    expect(judgesAt(selective, "PLAN", { kind: "DESTROY", plan: null })).toHaveLength(1);
  });

  it("judge a plan without changes only if they say so", () => {
    const judges = [judge(), judge({ id: "all", judgesUnchanged: true })];
    expect(ids(judgesAt(judges, "PLAN", { kind: "DEPLOY", plan: unchanged }))).toEqual(["all"]);
    expect(judgesAt(judges, "PLAN", { kind: "DEPLOY", plan: changed })).toHaveLength(2);
    expect(judgesAt(judges, "PLAN", { kind: "DEPLOY", plan: null })).toHaveLength(2);
  });
});

describe("the points at which a run waits", () => {
  const run = { kind: "DEPLOY", plan: changed } as const;

  it("are those of judges that decide", () => {
    expect(judgedPoints([], run)).toEqual({ prePlan: false, plan: false, preApply: false });
    expect(judgedPoints([judge({ isShadow: true })], run)).toEqual({ prePlan: false, plan: false, preApply: false });
    expect(judgedPoints([judge()], run)).toEqual({ prePlan: false, plan: true, preApply: false });
    const check = judge({ type: "CHECK", points: ["PRE_PLAN", "PRE_APPLY"] });
    expect(judgedPoints([check], run)).toEqual({ prePlan: true, plan: false, preApply: true });
  });
});

describe("the judges that are required", () => {
  const plan = judge({ id: "plan", type: "CHECK" });
  const both = judge({ id: "both", type: "CHECK", points: ["PLAN", "PRE_APPLY"] });
  const first = judge({ id: "first", type: "CHECK", points: ["PRE_PLAN"] });
  const shadow = judge({ id: "shadow", isShadow: true, points: ["PLAN", "PRE_APPLY"] });

  it("before a plan are those of that point, and before an apply those of the plan as well, once each", () => {
    const judges = [first, plan, both, shadow];
    expect(ids(requiredBefore(judges, "PRE_PLAN", "DEPLOY"))).toEqual(["first"]);
    expect(ids(requiredBefore(judges, "PRE_APPLY", "DEPLOY"))).toEqual(["plan", "both"]);
  });

  it("are covered by a judgement of this plan that all of them made", () => {
    const passed: PassedJudgement = { planVersion: 2, by: ["plan", "both"], beforeApply: [], exceptionIds: [] };
    const before = { planVersion: 2, point: "PRE_PLAN" } as const;
    expect(covers(null, [], before)).toBe(true);
    expect(covers(null, [plan], before)).toBe(false);
    expect(covers(passed, [plan, both], before)).toBe(true);
    expect(covers(passed, [plan, first], before)).toBe(false);
    expect(covers(passed, [plan], { ...before, planVersion: 3 })).toBe(false);
  });

  it("take an answer of their own before an apply where they are asked again", () => {
    const passed: PassedJudgement = { planVersion: 2, by: ["plan", "both"], beforeApply: [], exceptionIds: [] };
    const before = { planVersion: 2, point: "PRE_APPLY" } as const;
    expect(covers(passed, [plan], before)).toBe(true);
    expect(covers(passed, [plan, both], before)).toBe(false);
    expect(covers({ ...passed, beforeApply: ["both"] }, [plan, both], before)).toBe(true);
  });
});
