import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../../src/model/approval/approval.ts";
import type { ApprovalRule } from "../../../src/model/approval/run-rules.ts";
import {
  type QuorumInput,
  exclusion,
  isPassed,
  judgeApproval,
  openStage,
  type PresentApprover,
  stageProgress,
} from "../../../src/model/approval/quorum.ts";
import { mostApprovals, type People } from "../../../src/model/approval/satisfiable.ts";

function rule(name: string, more: Partial<ApprovalRule> = {}): ApprovalRule {
  return {
    name,
    gate: "APPLY",
    kinds: ["DEPLOY"],
    minimum: 1,
    approverIds: [],
    excludeRequester: false,
    distinctFromPlanApprover: false,
    commentRequired: false,
    teamIds: [],
    machinesCount: false,
    requirePresence: false,
    ...more,
  };
}

/** A person who has lately signed in, in no team. */
function person(actorId: string, more: Partial<PresentApprover> = {}): PresentApprover {
  return { actorId, kind: "PERSON", countsAs: actorId, teamIds: [], present: true, ...more };
}

function approval(actorId: string, stage: string | null, more: Partial<Approval> = {}): Approval {
  return {
    id: `${actorId} ${stage}`,
    runId: "run",
    gate: "APPLY",
    stage,
    decision: "APPROVED",
    actorId,
    approverKind: "PERSON",
    countsAs: actorId,
    teamIds: [],
    present: true,
    comment: null,
    planVersion: 1,
    planDigest: "d",
    applyAt: null,
    at: "2026-01-01T00:00:00.000Z",
    counts: true,
    ...more,
  };
}

function ask(rules: ApprovalRule[], given: [string, string | null][], more: Partial<QuorumInput> = {}) {
  const approvals = given.map(([actorId, stage]) => approval(actorId, stage));
  return {
    gate: "APPLY",
    rules,
    requesterIds: ["req"],
    planApproverIds: [],
    gatesSeparated: false,
    approvals,
    ...more,
  } as const;
}

describe("without rules", () => {
  it("one approval by whoever may approve passes the gate", () => {
    expect(judgeApproval(ask([], []), person("a"))).toMatchObject({
      kind: "counts",
      quorumReached: true,
      ambiguous: false,
    });
    expect(stageProgress(ask([], []))).toMatchObject([{ name: null, minimum: 1, missing: 1, current: true }]);
  });
  it("approvals of stages that no longer exist do not pass it", () => {
    const quorum = ask([], [["a", "gone"]]);
    expect(isPassed(quorum)).toBe(false);
    expect(judgeApproval(quorum, person("a"))).toMatchObject({ kind: "counts", quorumReached: true, ambiguous: false });
  });
});

describe("stages", () => {
  const rules = [rule("leads", { minimum: 2 }), rule("security", { approverIds: ["s", "a"] })];

  it("are passed in order, each by its own quorum", () => {
    expect(judgeApproval(ask(rules, []), person("a"))).toMatchObject({ kind: "counts", quorumReached: false });
    const second = judgeApproval(ask(rules, [["a", "leads"]]), person("b"));
    expect(second).toMatchObject({ kind: "counts", quorumReached: false, stage: { name: "leads", missing: 1 } });
    const both = ask(rules, [
      ["a", "leads"],
      ["b", "leads"],
    ]);
    expect(judgeApproval(both, person("s"))).toMatchObject({
      kind: "counts",
      quorumReached: true,
      stage: { name: "security" },
    });
    expect(judgeApproval(both, person("b"))).toMatchObject({ kind: "excluded" });
    expect(stageProgress(both).map(({ current, satisfied }) => [current, satisfied])).toEqual([
      [false, true],
      [true, false],
    ]);
  });
  it("a second approval of the same person adds nothing", () => {
    const quorum = ask(rules, [["a", "leads"]]);
    expect(judgeApproval(quorum, person("a"))).toMatchObject({ kind: "repeated", quorumReached: false });
    expect(judgeApproval(quorum, person("a"), "leads")).toMatchObject({ kind: "repeated", quorumReached: false });
  });
  it("who approved one must name the next one, so that a click twice is no approval of two", () => {
    const quorum = ask(rules, [
      ["a", "leads"],
      ["b", "leads"],
    ]);
    expect(judgeApproval(quorum, person("a"))).toMatchObject({ kind: "counts", ambiguous: true });
    expect(judgeApproval(quorum, person("a"), "security")).toMatchObject({ kind: "counts", ambiguous: false });
    expect(judgeApproval(quorum, person("a"), "leads")).toMatchObject({ kind: "repeated", quorumReached: false });
  });
  it("one that has not its turn, or does not exist, is told", () => {
    expect(judgeApproval(ask(rules, []), person("s"), "security")).toMatchObject({
      kind: "otherTurn",
      reason: 'The stage "leads" comes first.',
    });
    expect(judgeApproval(ask(rules, []), person("s"), "nowhere")).toMatchObject({
      kind: "otherTurn",
      reason: 'The gate has no stage "nowhere". Name one of "leads", "security".',
    });
    const unnamed = judgeApproval(ask([], []), person("s"), "leads");
    expect(unnamed).toMatchObject({ reason: 'The gate has no stage "leads". Omit `stage`.' });
    const excluded = judgeApproval(ask(rules, []), person("x"), "security");
    expect(excluded).toMatchObject({ kind: "excluded", reason: expect.stringMatching(/"security".*approverIds/) });
  });
  it("of an organization and a workspace may have the same name", () => {
    const thrice = [rule("leads"), rule("leads"), rule("leads")];
    expect(stageProgress(ask(thrice, [["a", "leads"]])).map(({ name, missing }) => [name, missing])).toEqual([
      ["leads", 0],
      ["leads (2)", 1],
      ["leads (3)", 1],
    ]);
  });
  it("are open one at a time; without rules there is one, without a name", () => {
    const leads: [string, string][] = [
      ["a", "leads"],
      ["b", "leads"],
    ];
    expect(openStage(ask(rules, leads.slice(1)))).toBe("leads");
    expect(openStage(ask(rules, leads))).toBe("security");
    expect(openStage(ask(rules, [...leads, ["s", "security"]]))).toBe("security");
    expect(openStage(ask([], []))).toBeNull();
  });
});

describe("rules of now", () => {
  it("take out who may not approve any more, and let in nobody else", () => {
    const before = ask(
      [rule("leads", { minimum: 2 })],
      [
        ["a", "leads"],
        ["b", "leads"],
      ],
    );
    expect(isPassed(before)).toBe(true);
    const named = { ...before, rules: [rule("leads", { minimum: 2, approverIds: ["a", "c"] })] };
    expect(stageProgress(named)).toMatchObject([{ missing: 1, given: [{ actorId: "a" }] }]);
    expect(judgeApproval(named, person("c"))).toMatchObject({ kind: "counts", quorumReached: true });
  });
  it("take out what was said without the comment that they ask for, until it is said with one", () => {
    const silent = ask([rule("leads", { commentRequired: true })], [["a", "leads"]]);
    expect(isPassed(silent)).toBe(false);
    expect(judgeApproval(silent, person("a"))).toMatchObject({ kind: "counts", quorumReached: true });
    for (const blank of ["", "  ", " \n\t"]) {
      expect(isPassed({ ...silent, approvals: [{ ...approval("a", "leads"), comment: blank }] })).toBe(false);
    }
    expect(isPassed({ ...silent, approvals: [{ ...approval("a", "leads"), comment: " seen " }] })).toBe(true);
  });
  it("that ask for nothing more: whoever may approve passes the gate, also who approved before", () => {
    const relaxed = ask([rule("leads", { minimum: 1 })], [["a", "leads"]]);
    expect(judgeApproval(relaxed, person("a"))).toMatchObject({ kind: "repeated", quorumReached: true });
    expect(judgeApproval(relaxed, person("b"))).toMatchObject({ kind: "counts", quorumReached: true });
  });
  it("exclude every requester, and everyone who approved the plan", () => {
    const four = ask([rule("four eyes", { excludeRequester: true })], [], { requesterIds: ["req", "replanner"] });
    for (const requester of ["req", "replanner"]) {
      expect(judgeApproval(four, person(requester))).toMatchObject({
        kind: "excluded",
        reason: expect.stringContaining("excludeRequester"),
      });
    }
    expect(judgeApproval(ask([rule("two eyes")], []), person("req"))).toMatchObject({ kind: "counts" });
    const planApproverIds = ["first", "second", "third"];
    const distinct = ask([rule("other", { distinctFromPlanApprover: true })], [], { planApproverIds });
    for (const approver of planApproverIds) {
      expect(judgeApproval(distinct, person(approver))).toMatchObject({
        kind: "excluded",
        reason: expect.stringContaining("distinct"),
      });
      expect(judgeApproval({ ...distinct, gate: "PLAN" }, person(approver))).toMatchObject({ kind: "counts" });
    }
  });
});

const PEOPLE = ["req", "a", "b", "c", "d"];
const ruleArbitrary = fc.record({
  name: fc.constantFrom("one", "two", "three"),
  minimum: fc.integer({ min: 1, max: 4 }),
  approverIds: fc.subarray(PEOPLE),
  excludeRequester: fc.boolean(),
  distinctFromPlanApprover: fc.boolean(),
});
const caseArbitrary = fc.record({
  rules: fc.array(ruleArbitrary, { maxLength: 3 }),
  planApproverIds: fc.subarray(PEOPLE),
  clicks: fc.array(fc.record({ actor: fc.constantFrom(...PEOPLE), name: fc.boolean() }), { maxLength: 40 }),
});

it("whatever people click: the gate is passed exactly when every stage has so many whom its rule allows", () => {
  fc.assert(
    fc.property(caseArbitrary, ({ rules, planApproverIds, clicks }) => {
      let quorum: QuorumInput = ask(
        rules.map((each) => rule(each.name, each)),
        [],
        { planApproverIds },
      );
      let passed = false;
      for (const { actor, name } of clicks) {
        const before = stageProgress(quorum);
        const stage = before.find(({ current }) => current);
        const verdict = judgeApproval(quorum, person(actor), name ? (stage?.name ?? null) : null);
        if (verdict.kind === "excluded") expect(exclusion(stage?.rule ?? null, quorum, person(actor))).not.toBeNull();
        if (verdict.kind !== "counts" || verdict.ambiguous) continue;
        quorum = { ...quorum, approvals: [...quorum.approvals, approval(actor, verdict.stage.name)] };
        expect(isPassed(quorum)).toBe(verdict.quorumReached);
        // Nobody counts twice, and one stage alone moved, by one.
        const after = stageProgress(quorum);
        for (const [index, each] of after.entries()) {
          expect(new Set(each.given.map(({ actorId }) => actorId)).size).toBe(each.given.length);
          const moved = before[index]?.name === verdict.stage.name ? 1 : 0;
          expect(each.given.length - (before[index]?.given.length ?? 0)).toBe(moved);
        }
        if (verdict.quorumReached) {
          passed = true;
          break;
        }
      }
      expect(isPassed(quorum)).toBe(passed);
    }),
  );
});

describe("rules that nobody can satisfy", () => {
  const peopleOf = (approverIds: string[], creatorIds: string[]): People => ({
    approvers: approverIds.map((actorId) => ({
      actorId,
      kind: "PERSON",
      countsAs: actorId,
      teamIds: [],
      gates: ["PLAN", "APPLY"],
    })),
    creatorsOf: () => creatorIds,
  });
  const people = peopleOf(["a", "b"], ["a", "b", "w"]);
  const most = (one: ApprovalRule, rules: ApprovalRule[] = [], planAlways = false, who = people) =>
    mostApprovals(one, { rules: [...rules, one], people: who, planAlways });

  it("count those who may approve, named or not", () => {
    expect(most(rule("r"))).toBe(2);
    expect(most(rule("r", { approverIds: ["a", "x"] }))).toBe(1);
  });
  it("lose the requester only where everybody who creates runs is among them", () => {
    expect(most(rule("r", { excludeRequester: true }))).toBe(2);
    const closed = peopleOf(["a", "b"], ["a", "b"]);
    expect(most(rule("r", { excludeRequester: true }), [], false, closed)).toBe(1);
  });
  it("lose those who must approve the plan, where no others may", () => {
    const distinct = rule("r", { distinctFromPlanApprover: true });
    expect(most(distinct)).toBe(2);
    expect(most(distinct, [], true)).toBe(1);
    expect(most(distinct, [rule("p", { gate: "PLAN", minimum: 2 })])).toBe(0);
    expect(most({ ...distinct, approverIds: ["a"] }, [rule("p", { gate: "PLAN" })])).toBe(1);
    expect(most(distinct, [rule("p", { gate: "PLAN", kinds: ["DESTROY"], minimum: 2 })])).toBe(2);
  });
  it("are as bad as the worst of their kinds", () => {
    const both = rule("r", { kinds: ["DEPLOY", "DESTROY"], distinctFromPlanApprover: true });
    expect(most(both, [rule("p", { gate: "PLAN", kinds: ["DESTROY"], minimum: 2 })])).toBe(0);
  });
  it("lose nobody to the plan where they are of its gate, of a task, or do not ask for it", () => {
    const kinds: ApprovalRule["kinds"] = ["TASK"];
    const plan = (kinds: ApprovalRule["kinds"]) => [rule("p", { gate: "PLAN", kinds, minimum: 2 })];
    expect(most(rule("r", { gate: "PLAN", distinctFromPlanApprover: true }), plan(["DEPLOY"]))).toBe(2);
    expect(most(rule("r", { kinds, distinctFromPlanApprover: true }), plan(kinds))).toBe(2);
    expect(most(rule("r"), plan(["DEPLOY"]))).toBe(2);
  });
  it("lose the requester beside those who approve the plan only where the plan's rule excludes the requester too", () => {
    const closed = peopleOf(["a", "b", "c"], ["a", "b", "c"]);
    const four = rule("r", { excludeRequester: true, distinctFromPlanApprover: true });
    expect(most(four, [rule("p", { gate: "PLAN" })], false, closed)).toBe(2);
    expect(most(four, [rule("p", { gate: "PLAN", excludeRequester: true })], false, closed)).toBe(1);
    expect(most(four, [], true, closed)).toBe(2);
  });
});
