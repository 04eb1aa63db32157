/** Which actors count at a gate: people, machines and tokens, members of teams, people who are present. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Approval, Gate } from "../../../src/model/approval/approval.ts";
import { APPROVER_KINDS, type ApproverKind } from "../../../src/model/approval/approver.ts";
import {
  approverOf,
  exclusion,
  identityRefusal,
  isPassed,
  judgeApproval,
  type PresentApprover,
  type QuorumInput,
  stageProgress,
} from "../../../src/model/approval/quorum.ts";
import { type ApprovalRule, separatesGates } from "../../../src/model/approval/run-rules.ts";
import type { StageOfRun } from "../../../src/model/approval/run-stage.ts";
import { mostApprovals, type People } from "../../../src/model/approval/satisfiable.ts";

const rule = (more: Partial<ApprovalRule> = {}): ApprovalRule => ({
  name: "r",
  gate: "APPLY",
  kinds: ["DEPLOY"],
  minimum: 1,
  approverIds: [],
  teamIds: [],
  excludeRequester: false,
  distinctFromPlanApprover: false,
  commentRequired: false,
  machinesCount: false,
  requirePresence: false,
  ...more,
});
const actor = (actorId: string, more: Partial<PresentApprover> = {}): PresentApprover => ({
  actorId,
  kind: "PERSON",
  countsAs: actorId,
  teamIds: [],
  present: true,
  ...more,
});
const approvalBy = (
  { actorId, kind, countsAs, teamIds, present }: PresentApprover,
  stage: string | null,
): Approval => ({
  id: `${actorId} ${stage}`,
  runId: "run",
  gate: "APPLY",
  stage,
  decision: "APPROVED",
  actorId,
  approverKind: kind,
  countsAs,
  teamIds,
  present,
  comment: null,
  planVersion: 1,
  planDigest: "d",
  applyAt: null,
  at: "2026-01-01T00:00:00.000Z",
  counts: true,
});
const quorum = (rules: ApprovalRule[], more: Partial<QuorumInput> = {}): QuorumInput => ({
  gate: "APPLY",
  rules,
  requesterIds: ["req"],
  planApproverIds: [],
  gatesSeparated: false,
  approvals: [],
  ...more,
});
const verdict = (rules: ApprovalRule[], who: PresentApprover, more: Partial<QuorumInput> = {}) =>
  judgeApproval(quorum(rules, more), who).kind;

const TELLING: [string, Partial<ApprovalRule>][] = [
  ["two", { minimum: 2 }],
  ["four eyes", { excludeRequester: true }],
  ["another person than at the plan gate", { distinctFromPlanApprover: true }],
  ["a present person", { requirePresence: true }],
];

describe("a machine", () => {
  const machine = actor("m", { kind: "MACHINE" });

  it("counts at no gate without a rule, and at none whose rule does not say so", () => {
    expect([verdict([], machine), verdict([rule()], machine)]).toEqual(["excluded", "excluded"]);
    expect(verdict([rule({ approverIds: ["m"] })], machine)).toBe("excluded");
    expect(verdict([rule({ machinesCount: true })], machine)).toBe("counts");
    expect(verdict([rule({ machinesCount: true, minimum: 2 })], machine)).toBe("counts");
    expect(exclusion(null, quorum([]), machine)).toBe(
      "A gate without rules counts people, not machine users (machinesCount). A person must approve.",
    );
    expect(exclusion(rule(), quorum([]), machine)).toBe(
      'The approval rule "r" counts people, not machine users (machinesCount). A person must approve.',
    );
  });

  it("that counts is excluded by the other conditions of the rule", () => {
    const counting = { machinesCount: true };
    const requested = { requesterIds: ["m"] };
    expect(verdict([rule({ ...counting, approverIds: ["a"] })], machine)).toBe("excluded");
    expect(verdict([rule({ ...counting, excludeRequester: true })], machine, requested)).toBe("excluded");
    expect(verdict([rule(counting)], machine, requested)).toBe("counts");
    const planned = { planApproverIds: ["m"] };
    expect(verdict([rule({ ...counting, distinctFromPlanApprover: true })], machine, planned)).toBe("excluded");
  });
});

describe("a user with tokens alone", () => {
  const user = actor("u", { kind: "UNIDENTIFIED", present: false });

  it("counts where one approval by any person is enough", () => {
    expect([verdict([], user), verdict([rule()], user)]).toEqual(["counts", "counts"]);
    expect(verdict([rule({ approverIds: ["u"], commentRequired: true })], user)).toBe("counts");
    expect(verdict([rule({ gate: "PLAN", distinctFromPlanApprover: true })], user, { gate: "PLAN" })).toBe("counts");
  });

  it.each(TELLING)("does not count where the rule asks for %s", (_name, more) => {
    expect(verdict([rule(more)], user)).toBe("excluded");
    expect(exclusion(rule(more), quorum([]), user)).toBe(
      'The approval rule "r" distinguishes people, and a token alone does not show which person you are. A person who signs in must approve.',
    );
    expect(verdict([rule(more)], actor("p"))).toBe("counts");
    if (more.requirePresence !== true) expect(verdict([rule({ ...more, machinesCount: true })], user)).toBe("counts");
  });

  it("does not approve a plan whose apply another person must approve", () => {
    const gate = { gate: "PLAN", gatesSeparated: true } as const;
    expect(verdict([], user, gate)).toBe("excluded");
    expect(exclusion(null, quorum([], gate), user)).toBe(
      "This gate distinguishes people, and a token alone does not show which person you are. A person who signs in must approve.",
    );
    expect(verdict([rule({ gate: "PLAN" })], user, gate)).toBe("excluded");
    expect(verdict([rule({ gate: "PLAN", machinesCount: true })], user, gate)).toBe("counts");
    expect(verdict([], user, { gatesSeparated: true })).toBe("counts");
    expect(verdict([], actor("p"), gate)).toBe("counts");
  });
});

describe("a person", () => {
  it("learns which rule excludes the requester and the approver of the plan, and that another person must approve", () => {
    const now = quorum([], { planApproverIds: ["a"] });
    expect(exclusion(rule({ excludeRequester: true }), now, actor("req"))).toBe(
      'The approval rule "r" excludes the person who created the run or requested this plan (excludeRequester), and those who count as one with it. Another person must approve.',
    );
    expect(exclusion(rule({ distinctFromPlanApprover: true }), now, actor("a"))).toBe(
      'The approval rule "r" excludes the people who approved the plan (distinctFromPlanApprover), and those who count as one with them. Another person must approve.',
    );
    expect(exclusion(rule({ excludeRequester: true, distinctFromPlanApprover: true }), now, actor("b"))).toBeNull();
  });
});

describe("gates are separated", () => {
  const distinct = rule({ distinctFromPlanApprover: true, kinds: ["APPLY"] });
  const separates = (one: ApprovalRule, kind: ApprovalRule["kinds"][number]) =>
    separatesGates({ approvalRules: [rule(), one] }, kind);

  it("by a rule of the apply gate that asks for another person, for its kinds", () => {
    expect([separates(distinct, "APPLY"), separates(distinct, "DEPLOY")]).toEqual([true, false]);
    expect(separates({ ...distinct, gate: "PLAN" }, "APPLY")).toBe(false);
    expect(separates({ ...distinct, distinctFromPlanApprover: false }, "APPLY")).toBe(false);
    expect(separates({ ...distinct, machinesCount: true }, "APPLY")).toBe(false);
  });
  it("for a PLAN run by the rules of the APPLY of its plan", () => {
    expect(separates(distinct, "PLAN")).toBe(true);
    expect(separates({ ...distinct, kinds: ["DEPLOY"] }, "PLAN")).toBe(false);
  });
});

describe("a rule that names teams", () => {
  const teams = rule({ approverIds: ["a"], teamIds: ["t1", "t2"] });

  it("counts their members beside the named people, and no others", () => {
    expect(verdict([teams], actor("a"))).toBe("counts");
    expect(verdict([teams], actor("b", { teamIds: ["t0", "t2"] }))).toBe("counts");
    expect(verdict([teams], actor("c", { teamIds: ["t0"] }))).toBe("excluded");
    expect(verdict([rule({ teamIds: ["t1"] })], actor("a"))).toBe("excluded");
    expect(exclusion(teams, quorum([]), actor("c"))).toBe(
      'The approval rule "r" counts only its named approvers and teams (approverIds, teamIds). One of them must approve.',
    );
  });
  it("counts who was a member at the time of the decision", () => {
    const was = approvalBy(actor("b", { teamIds: ["t1"] }), "r");
    expect(isPassed(quorum([teams], { approvals: [was] }))).toBe(true);
    expect(isPassed(quorum([teams], { approvals: [{ ...was, teamIds: [] }] }))).toBe(false);
    // Now in no team: the approval counts, and another one adds nothing.
    expect(judgeApproval(quorum([{ ...teams, minimum: 2 }], { approvals: [was] }), actor("b")).kind).toBe("excluded");
  });
  it("does not let a machine in by its team", () => {
    const member = actor("m", { kind: "MACHINE", teamIds: ["t1"] });
    expect(verdict([teams], member)).toBe("excluded");
    expect(verdict([{ ...teams, machinesCount: true }], member)).toBe("counts");
  });
});

describe("a rule that requires presence", () => {
  const present = rule({ requirePresence: true });

  it("asks an absent person to sign in again, after all that signing in cannot mend", () => {
    const absent = actor("a", { present: false });
    expect(judgeApproval(quorum([present]), absent)).toMatchObject({
      kind: "absent",
      stage: { name: "r" },
      reason:
        'The approval rule "r" takes a sign-in of the last 10 minutes (requirePresence). Sign in again, and approve in that session.',
    });
    expect(verdict([present], actor("a"))).toBe("counts");
    expect(verdict([rule()], absent)).toBe("counts");
    expect(verdict([{ ...present, approverIds: ["b"] }], absent)).toBe("excluded");
    const later = judgeApproval(quorum([rule(), { ...present, name: "last" }]), absent, "last");
    expect(later.kind).toBe("otherTurn");
  });
  it("counts an approval that was given in presence, and no other", () => {
    const given = approvalBy(actor("a"), "r");
    expect(isPassed(quorum([present], { approvals: [given] }))).toBe(true);
    const careless = quorum([present], { approvals: [{ ...given, present: false }] });
    expect(isPassed(careless)).toBe(false);
    expect(judgeApproval(careless, actor("a"))).toMatchObject({ kind: "counts", quorumReached: true });
    const twice = judgeApproval(
      quorum([{ ...present, minimum: 2 }], { approvals: [given] }),
      actor("a", { present: false }),
    );
    expect(twice.kind).toBe("repeated");
  });
});

describe("people who were invited a short time ago", () => {
  const two = rule({ minimum: 2 });
  const [boss, first, second, other] = [
    actor("boss"),
    actor("first", { countsAs: "boss" }),
    actor("second", { countsAs: "boss" }),
    actor("other"),
  ];
  const given = (...who: PresentApprover[]) => ({ approvals: who.map((one) => approvalBy(one, "r")) });

  it.each([
    ["the one that invited", boss, first],
    ["one that was invited before the one that invited it", first, boss],
    ["another one with the same invitation", first, second],
  ])("count as one with %s", (_name, one, next) => {
    const judged = judgeApproval(quorum([two], given(one)), next);
    expect(judged).toMatchObject({ kind: "excluded", reason: expect.stringContaining("counts each person once") });
    expect(isPassed(quorum([two], given(one, next)))).toBe(false);
    expect(isPassed(quorum([two], given(one, next, other)))).toBe(true);
  });

  it("count beside everyone else", () => {
    expect(judgeApproval(quorum([two], given(other)), first)).toMatchObject({ kind: "counts", quorumReached: true });
    expect(judgeApproval(quorum([rule({})]), first)).toMatchObject({ kind: "counts", quorumReached: true });
  });

  it("count for themselves where tokens and machines do", () => {
    const machines = rule({ minimum: 2, machinesCount: true });
    expect(isPassed(quorum([machines], given(boss, first)))).toBe(true);
  });

  it("do not approve what the one that invited them requested, or that one what they requested", () => {
    const fourEyes = rule({ excludeRequester: true });
    for (const requesterIds of [["boss"], ["second", "boss"]]) {
      for (const who of [boss, first]) {
        const judged = judgeApproval(quorum([fourEyes], { requesterIds }), who);
        expect(judged).toMatchObject({ kind: "excluded", reason: expect.stringContaining("excludeRequester") });
      }
      expect(judgeApproval(quorum([fourEyes], { requesterIds }), other)).toMatchObject({ kind: "counts" });
    }
  });

  it("do not approve the apply of a plan that the one that invited them approved", () => {
    const distinct = rule({ distinctFromPlanApprover: true });
    const asked = quorum([distinct], { planApproverIds: ["boss"] });
    expect(judgeApproval(asked, first).kind).toBe("excluded");
    expect(judgeApproval(asked, other).kind).toBe("counts");
  });
});

describe("rules that can be satisfied", () => {
  const approver = (
    actorId: string,
    kind: ApproverKind,
    teamIds: string[] = [],
    gates: Gate[] = ["PLAN", "APPLY"],
  ) => ({
    actorId,
    kind,
    countsAs: actorId,
    teamIds,
    gates,
  });
  const people: People = {
    approvers: [
      approver("p", "PERSON", ["t"]),
      approver("q", "PERSON"),
      approver("u", "UNIDENTIFIED", ["t"]),
      approver("m", "MACHINE", ["t"]),
      approver("plan", "PERSON", ["t"], ["PLAN"]),
    ],
    creatorsOf: () => ["w"],
  };
  const most = (one: ApprovalRule, others: ApprovalRule[] = [], planAlways = false) =>
    mostApprovals(one, { rules: [...others, one], people, planAlways });

  it("count the actors of the gate by what the rule asks of them", () => {
    expect([most(rule()), most(rule({ gate: "PLAN" }))]).toEqual([3, 4]);
    expect(most(rule({ minimum: 2 }))).toBe(2);
    expect(most(rule({ minimum: 2, machinesCount: true }))).toBe(4);
    expect(most(rule({ teamIds: ["t"] }))).toBe(2);
    expect(most(rule({ teamIds: ["t"], approverIds: ["q"], minimum: 2 }))).toBe(2);
    expect(most(rule({ teamIds: ["t"], minimum: 2 }))).toBe(1);
    expect(most(rule({ teamIds: ["gone"] }))).toBe(0);
    expect(most(rule({ requirePresence: true }))).toBe(2);
  });
  it("lose those who must approve the plan among the people that its gate counts", () => {
    const distinct = rule({ distinctFromPlanApprover: true });
    // The person who approves plans alone takes the plan gate; the user with tokens and the machine do not.
    expect(most(distinct, [], true)).toBe(2);
    expect(most(distinct, [rule({ gate: "PLAN", minimum: 2 })])).toBe(1);
    expect(most(distinct, [rule({ gate: "PLAN", minimum: 3, machinesCount: true })])).toBe(2);
  });
  it("lose no one to the gate without rules where a rule of the plan gate counts machines", () => {
    const few: People = {
      approvers: [approver("p", "PERSON"), approver("q", "PERSON"), approver("m", "MACHINE")],
      creatorsOf: () => ["w"],
    };
    const distinct = rule({ distinctFromPlanApprover: true });
    const look = rule({ gate: "PLAN", machinesCount: true });
    const by = (rules: ApprovalRule[]) => mostApprovals(distinct, { rules, people: few, planAlways: true });
    expect([by([distinct]), by([look, distinct])]).toEqual([1, 2]);
  });
  it("count tokens at a plan gate only where the apply asks for no other person", () => {
    const plan = rule({ gate: "PLAN" });
    expect(most(plan)).toBe(4);
    expect(most(plan, [rule({ distinctFromPlanApprover: true })])).toBe(3);
    expect(most(plan, [rule({ distinctFromPlanApprover: true, kinds: ["DESTROY"] })])).toBe(4);
  });
});

const IDS = ["req", "a", "b", "c", "d", "e"];
const TEAMS = ["t1", "t2"];
const actorsArbitrary = fc.tuple(
  ...IDS.map((actorId) =>
    fc.record({
      actorId: fc.constant(actorId),
      kind: fc.constantFrom(...APPROVER_KINDS),
      // Some were invited by another one a short time ago.
      countsAs: fc.constantFrom(actorId, actorId, ...IDS),
      teamIds: fc.subarray(TEAMS),
      present: fc.boolean(),
    }),
  ),
);
const ruleArbitrary = fc
  .record({
    gate: fc.constantFrom<Gate>("PLAN", "APPLY"),
    minimum: fc.integer({ min: 1, max: 3 }),
    approverIds: fc.subarray(IDS),
    teamIds: fc.subarray(TEAMS),
    excludeRequester: fc.boolean(),
    distinctFromPlanApprover: fc.boolean(),
    machinesCount: fc.boolean(),
    requirePresence: fc.boolean(),
  })
  .map((each) => rule(each));

/** What the documentation says about who counts, written apart from the code. */
function allowedBy(one: StageOfRun, who: PresentApprover, { requesterIds, planApproverIds, gate }: QuorumInput) {
  const isOneOf = (ids: readonly string[]) =>
    ids.includes(who.actorId) || (!one.machinesCount && ids.includes(who.countsAs));
  const telling =
    one.minimum >= 2 ||
    one.excludeRequester ||
    one.requirePresence ||
    (gate === "APPLY" && one.distinctFromPlanApprover);
  const kinds = one.machinesCount ? APPROVER_KINDS : telling ? ["PERSON"] : ["PERSON", "UNIDENTIFIED"];
  const everybody = one.approverIds.length === 0 && one.teamIds.length === 0;
  const named = one.approverIds.includes(who.actorId) || who.teamIds.some((team) => one.teamIds.includes(team));
  const other =
    !(one.excludeRequester && isOneOf(requesterIds)) &&
    !(gate === "APPLY" && one.distinctFromPlanApprover && isOneOf(planApproverIds));
  return kinds.includes(who.kind) && (everybody || named) && other && (who.present || !one.requirePresence);
}

it("whatever kinds, teams and presence: a gate is passed exactly when enough actors approved that its rules allow", () => {
  fc.assert(
    fc.property(
      fc.array(ruleArbitrary, { maxLength: 3 }),
      actorsArbitrary,
      fc.subarray(IDS),
      fc.array(fc.nat(IDS.length - 1), { maxLength: 30 }),
      (given, actors, planApproverIds, clicks) => {
        const rules = given
          .filter((each) => each.gate === (given[0]?.gate ?? "APPLY"))
          .map((each, index) => ({ ...each, name: `r${index}` }));
        const gate = rules[0]?.gate ?? "APPLY";
        let now = quorum(rules, { gate, planApproverIds });
        for (const click of clicks) {
          const who = actors[click];
          const open = stageProgress(now).find(({ current }) => current);
          if (who === undefined || open === undefined || isPassed(now)) continue;
          const judged = judgeApproval(now, who, open.name);
          const repeated = open.given.some(({ actorId }) => actorId === who.actorId);
          const allowed = open.rule === null ? who.kind !== "MACHINE" : allowedBy(open.rule, who, now);
          const isOther = ({ actorId, countsAs }: Approval) => actorId !== who.actorId && countsAs === who.countsAs;
          const counted = open.rule?.machinesCount !== true && open.minimum > 1 && open.given.some(isOther);
          expect(judged.kind === "counts").toBe(allowed && !repeated && !counted);
          if (judged.kind !== "counts") continue;
          const approval = approvalBy(who, open.name);
          const { present: _, ...approver } = who;
          expect(approverOf(approval)).toEqual(approver);
          now = { ...now, approvals: [...now.approvals, approval] };
          expect(isPassed(now)).toBe(judged.quorumReached);
        }
        for (const { rule: one, given: approvals, satisfied, minimum } of stageProgress(now)) {
          const isByTokens = one?.machinesCount === true;
          const distinct = new Set(approvals.map(({ actorId, countsAs }) => (isByTokens ? actorId : countsAs)));
          expect(distinct.size).toBe(approvals.length);
          expect(satisfied).toBe(distinct.size >= minimum);
          for (const each of approvals) {
            const who = actors.find(({ actorId }) => actorId === each.actorId);
            if (who !== undefined && one !== null) expect(allowedBy(one, who, now)).toBe(true);
          }
        }
      },
    ),
    { numRuns: 2000 },
  );
});

it("no administrator passes a gate of two alone, with any number of tokens and machines", () => {
  fc.assert(
    fc.property(
      ruleArbitrary.filter(({ minimum, machinesCount }) => minimum > 1 && !machinesCount),
      fc.array(fc.constantFrom<ApproverKind>("UNIDENTIFIED", "MACHINE"), { maxLength: 8 }),
      fc.boolean(),
      (one, kinds, admin) => {
        const teamIds = TEAMS;
        const own = kinds.map((kind, index) => actor(`${kind} ${index}`, { kind, teamIds, present: false }));
        let now = quorum([one], { gate: one.gate });
        for (const who of [...(admin ? [actor("admin", { teamIds })] : []), ...own]) {
          const judged = judgeApproval(now, who);
          if (judged.kind === "counts") now = { ...now, approvals: [...now.approvals, approvalBy(who, one.name)] };
        }
        expect(now.approvals.length).toBeLessThanOrEqual(1);
        expect(isPassed(now)).toBe(false);
        for (const who of own) expect(identityRefusal(one, now, who)).not.toBeNull();
      },
    ),
  );
});
