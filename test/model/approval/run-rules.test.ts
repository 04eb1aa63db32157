import { expect, test } from "vitest";
import {
  type ApprovalRule,
  DEFAULT_RUN_LIMITS,
  EMPTY_RULES,
  effectiveRules,
  type FreezeWindow,
  stagesOf,
} from "../../../src/model/approval/run-rules.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function rule(name: string, more: Partial<ApprovalRule> = {}): ApprovalRule {
  return {
    name,
    gate: "PLAN",
    kinds: ["DEPLOY", "DESTROY"],
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

const freeze = (name: string): FreezeWindow => ({ name, cron: "0 0 * * *", durationMs: HOUR, timeZone: "UTC" });

test("limits have these values until an organization or a workspace sets others", () => {
  expect(effectiveRules(EMPTY_RULES, EMPTY_RULES)).toEqual({
    limits: {
      leaseMs: 30_000,
      attemptsPerLeg: 3,
      forceStopAfterMs: MINUTE,
      planMs: 2 * HOUR,
      applyMs: 24 * HOUR,
      silenceMs: 30 * MINUTE,
      planApprovalMs: null,
      applyApprovalMs: null,
      approvalTimeoutAction: "END",
      queueMs: null,
    },
    approvalRules: [],
    freezeWindows: [],
  });
});

test("limits of the workspace come before those of its organization; rules and windows add up", () => {
  const organization = {
    limits: { planMs: 1, applyMs: 2 },
    approvalRules: [rule("of all")],
    freezeWindows: [freeze("holidays")],
  };
  const workspace = { limits: { planMs: 3 }, approvalRules: [rule("own")], freezeWindows: [freeze("nights")] };
  const both = effectiveRules(organization, workspace);
  expect(both.limits).toEqual({ ...DEFAULT_RUN_LIMITS, planMs: 3, applyMs: 2 });
  expect(both.approvalRules.map(({ name }) => name)).toEqual(["of all", "own"]);
  expect(both.freezeWindows.map(({ name }) => name)).toEqual(["holidays", "nights"]);
});

test("the stages of a gate are the rules of that gate that hold for the kind of the run", () => {
  const approvalRules = [
    rule("plan of all"),
    rule("apply", { gate: "APPLY" }),
    rule("destroy", { kinds: ["DESTROY"] }),
  ];
  const names = (...[gate, kind]: [ApprovalRule["gate"], ApprovalRule["kinds"][number]]) =>
    stagesOf({ ...EMPTY_RULES, approvalRules }, gate, kind).map(({ name }) => name);
  expect(names("PLAN", "DEPLOY")).toEqual(["plan of all"]);
  expect(names("PLAN", "DESTROY")).toEqual(["plan of all", "destroy"]);
  expect(names("APPLY", "DESTROY")).toEqual(["apply"]);
  expect(names("APPLY", "TASK")).toEqual([]);
});
