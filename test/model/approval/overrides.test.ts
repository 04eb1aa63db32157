/** Overrides at the plan gate: who may, what they add, and when all are there. */
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/model/approval/approval.ts";
import {
  isOverride,
  judgeApproval,
  judgeOverride,
  lacksOverride,
  openStage,
  type PresentApprover,
  type QuorumInput,
  stageProgress,
} from "../../../src/model/approval/quorum.ts";
import type { StageOfRun } from "../../../src/model/approval/run-stage.ts";
import { overrideRule } from "../../../src/model/policy/policy-stages.ts";

const PEOPLE = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true };
const stage = (ownerId = "pset_1", changes: Partial<StageOfRun> = {}): StageOfRun => {
  return { ...overrideRule(ownerId, PEOPLE), name: `Override: ${ownerId}`, ...changes };
};
const REVIEW: StageOfRun = {
  ...PEOPLE,
  name: "review",
  gate: "PLAN",
  excludeRequester: false,
  distinctFromPlanApprover: false,
  commentRequired: false,
  machinesCount: false,
  requirePresence: false,
};

const ann: PresentApprover = { actorId: "ann", kind: "PERSON", countsAs: "ann", teamIds: [], present: true };
const bob: PresentApprover = { ...ann, actorId: "bob", countsAs: "bob" };

function given(by: PresentApprover, at: string, decision: Approval["decision"] = "OVERRIDDEN"): Approval {
  const { kind: approverKind, present, ...who } = by;
  const plan = { runId: "run_1", gate: "PLAN", planVersion: 1, planDigest: "d", applyAt: null } as const;
  const when = { at: "2026-03-01T12:00:00.000Z", counts: true, comment: "Known." };
  return { ...who, ...plan, ...when, approverKind, present, id: `${by.actorId} ${at}`, stage: at, decision };
}

function gate(rules: readonly StageOfRun[], ...approvals: Approval[]): QuorumInput {
  return { gate: "PLAN", rules, requesterIds: ["req"], planApproverIds: [], gatesSeparated: false, approvals };
}

it("are stages of their own", () => {
  expect(
    [stage(), REVIEW, { ...REVIEW, origin: { source: "POLICY", reason: "", ownerId: "p" } as const }, null].map(
      isOverride,
    ),
  ).toEqual([true, false, false, false]);
});

describe("the stages of overrides", () => {
  const both = [REVIEW, stage(), stage("pset_2")];
  const current = (...approvals: Approval[]) =>
    stageProgress(gate(both, ...approvals)).map((one) => [one.missing, one.current]);

  it("have no order, and are open until they are overridden", () => {
    expect(current()).toEqual([
      [1, true],
      [1, true],
      [1, true],
    ]);
    expect(current(given(ann, "Override: pset_2"))).toEqual([
      [1, true],
      [1, true],
      [0, false],
    ]);
    expect(openStage(gate(both, given(ann, "review", "APPROVED")))).toBe("Override: pset_1");
    const all = [given(ann, "review", "APPROVED"), given(ann, "Override: pset_1"), given(ann, "Override: pset_2")];
    // Nothing is missing: the next approval passes the gate.
    expect(current(...all)).toEqual([
      [0, true],
      [0, false],
      [0, false],
    ]);
  });

  it("count overrides with a comment alone, and no other stage counts them", () => {
    expect(current(given(ann, "Override: pset_1", "APPROVED"), given(ann, "review"))).toEqual([
      [1, true],
      [1, true],
      [1, true],
    ]);
    expect(current({ ...given(ann, "Override: pset_1"), comment: " " })[1]).toEqual([1, true]);
    expect(current({ ...given(ann, "Override: pset_1"), comment: null })[1]).toEqual([1, true]);
  });

  it("are lacking while one of them is", () => {
    expect(lacksOverride(gate([REVIEW]))).toBe(false);
    expect(lacksOverride(gate([]))).toBe(false);
    expect(lacksOverride(gate([stage()]))).toBe(true);
    expect(lacksOverride(gate(both, given(ann, "Override: pset_1"), given(ann, "review", "APPROVED")))).toBe(true);
    expect(lacksOverride(gate(both, given(ann, "Override: pset_1"), given(bob, "Override: pset_2")))).toBe(false);
  });

  it("are passed by no approval", () => {
    const named = judgeApproval(gate([REVIEW, stage()]), ann, "Override: pset_1");
    expect(named).toEqual({
      kind: "otherTurn",
      reason:
        'The stage "Override: pset_1" is passed by overriding the failures of policies (overridePolicies), not by approving.',
    });
    const alone = judgeApproval(gate([stage(), stage("pset_2")]), ann);
    expect(alone).toEqual({
      kind: "otherTurn",
      reason:
        'The stages "Override: pset_1", "Override: pset_2" are passed by overriding the failures of policies (overridePolicies), not by approving.',
    });
    const left = judgeApproval(gate([stage(), stage("pset_2")], given(ann, "Override: pset_1")), bob);
    expect(left).toMatchObject({ reason: expect.stringContaining('The stage "Override: pset_2" is passed') });
  });
});

describe("an override", () => {
  it("counts, and passes the gate with the last that is missing", () => {
    const first = judgeOverride(gate([REVIEW, stage()]), ann, "pset_1");
    expect(first).toMatchObject({ kind: "counts", stage: { name: "Override: pset_1" }, quorumReached: false });
    const last = judgeOverride(gate([REVIEW, stage()], given(bob, "review", "APPROVED")), ann, "pset_1");
    expect(last).toMatchObject({ kind: "counts", quorumReached: true, ambiguous: false });
    const two = [stage("pset_1", { minimum: 2 })];
    expect(judgeOverride(gate(two), ann, "pset_1")).toMatchObject({ kind: "counts", quorumReached: false });
    const second = judgeOverride(gate(two, given(bob, "Override: pset_1")), ann, "pset_1");
    expect(second).toMatchObject({ kind: "counts", quorumReached: true });
  });

  it("is asked for by a stage of the set, and by no other one", () => {
    expect(judgeOverride(gate([REVIEW, stage()]), ann, "pset_2")).toBeNull();
    const demand = { ...REVIEW, origin: { source: "POLICY", reason: "", ownerId: "pset_2" } as const };
    expect(judgeOverride(gate([demand]), ann, "pset_2")).toBeNull();
    expect(judgeOverride(gate([]), ann, "pset_1")).toBeNull();
  });

  it("adds nothing where the person has overridden, or enough people have", () => {
    const two = [stage("pset_1", { minimum: 2 })];
    const again = judgeOverride(gate(two, given(ann, "Override: pset_1")), ann, "pset_1");
    expect(again).toMatchObject({ kind: "repeated", quorumReached: false });
    const enough = judgeOverride(gate([stage()], given(bob, "Override: pset_1")), ann, "pset_1");
    expect(enough).toMatchObject({ kind: "repeated", quorumReached: true });
    const open = judgeOverride(gate([REVIEW, stage()], given(bob, "Override: pset_1")), ann, "pset_1");
    expect(open).toMatchObject({ kind: "repeated", quorumReached: false });
  });

  it("is refused to those whom the stage excludes, first of all", () => {
    const requester = { ...ann, actorId: "req" };
    expect(judgeOverride(gate([stage()], given(bob, "Override: pset_1")), requester, "pset_1")).toMatchObject({
      kind: "excluded",
      reason: expect.stringContaining('The stage "Override: pset_1" excludes the person who created the run'),
    });
    const one = { ...ann, countsAs: "bob" };
    const two = [stage("pset_1", { minimum: 2 })];
    expect(judgeOverride(gate(two, given(bob, "Override: pset_1")), one, "pset_1")).toMatchObject({
      kind: "excluded",
      reason: expect.stringContaining("counts each person once"),
    });
  });

  it("takes a sign-in where the stage does", () => {
    const present = [stage("pset_1", { requirePresence: true })];
    expect(judgeOverride(gate(present), { ...ann, present: false }, "pset_1")).toMatchObject({
      kind: "absent",
      reason: expect.stringContaining("takes a sign-in of the last 10 minutes"),
    });
    expect(judgeOverride(gate(present), ann, "pset_1")).toMatchObject({ kind: "counts" });
  });
});
