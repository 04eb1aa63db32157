import { describe, expect, it } from "vitest";
import { type Condition, conditionText, lengthOf, type Rule, ruleText } from "../../../src/console/rules/rule-text.ts";

const RULE: Rule = {
  name: "two",
  gate: "APPLY",
  kinds: [],
  minimum: 1,
  approvers: [],
  teamIds: [],
  teams: [],
  excludeRequester: false,
  distinctFromPlanApprover: false,
  commentRequired: false,
  requirePresence: false,
  machinesCount: false,
  when: null,
};
const ANY: Condition = {
  minDestructions: null,
  minReplacements: null,
  monthlyCostDeltaOver: null,
  resourceTypes: [],
  labels: [],
  triggers: [],
};

describe("the text of a rule", () => {
  it.each<[Partial<Rule>, string]>([
    [{}, "1 approval at the apply gate, by anyone who may approve"],
    [
      {
        minimum: 2,
        gate: "PLAN",
        teams: [{ id: "team_1", name: "net" }],
        approvers: [{ id: "act_1", name: "an\u202Ena" }],
        kinds: ["DESTROY", "DEPLOY"],
      },
      "2 approvals at the plan gate, by the team net or an\\u202ena, for runs of the kinds destroy, deploy",
    ],
    [
      {
        excludeRequester: true,
        distinctFromPlanApprover: true,
        commentRequired: true,
        requirePresence: true,
        machinesCount: true,
      },
      "1 approval at the apply gate, by anyone who may approve, not by who asked for the plan, not by who approved the plan, with a comment, by people who have just signed in, machines count",
    ],
  ])("of %o", (rule, text) => {
    expect(ruleText({ ...RULE, ...rule })).toBe(text);
  });
});

describe("the text of a condition", () => {
  it.each<[Partial<Condition>, string]>([
    [{ minDestructions: 0 }, "that destroy 0 or more"],
    [{ minReplacements: 3, resourceTypes: ["aws_iam_*", "b"] }, "that replace 3 or more and that change aws_iam_*, b"],
    [
      { monthlyCostDeltaOver: 0, labels: ["env:prod"], triggers: ["MANUAL"] },
      "that raise the monthly cost by more than 0 and of workspaces with env:prod and with the trigger manual",
    ],
  ])("of %o", (condition, text) => {
    expect(conditionText({ ...ANY, ...condition })).toBe(text);
  });
});

it.each([
  [45, "45 min"],
  [480, "8 h"],
  [3600, "2 d 12 h"],
  [20_160, "14 d"],
])("gives %i minutes as %s", (minutes, text) => expect(lengthOf(minutes)).toBe(text));
