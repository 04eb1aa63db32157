import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { GateEnum } from "./approval.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { TeamRef, teamLoader } from "../kit/refs.ts";
import { RunKindEnum } from "../run/run-enums.ts";
import { RuleConditionInputRef, RuleConditionRef } from "./rule-condition.ts";

const WORDS = {
  name: "The name, unique within the list.",
  gate: "The gate of the stage.",
  minimum: "The number of people who must approve.",
  excludeRequester:
    "Whether the approval of the person who created the run, or requested its current plan by a replan, does not count (four eyes).",
  distinctFromPlanApprover: "Whether the approval of a person who approved the plan does not count at the apply gate.",
  commentRequired: "Whether an approval without a comment is refused.",
  machinesCount:
    "Whether approvals of machine users count, and those of users with tokens alone where the rule distinguishes people.",
  requirePresence: "Whether an approval counts only from a session whose person signed in during the last 10 minutes.",
  when: "The rule is a stage only of runs that match. `null`: of all runs of its kinds.",
} as const;

export const ApprovalRuleRef = builder.objectRef<ApprovalRule>("ApprovalRule").implement({
  description:
    "One stage of a gate, with the people who must approve. Stages are passed in order, those of the organization first.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    gate: t.expose("gate", { type: GateEnum, description: WORDS.gate }),
    kinds: t.expose("kinds", { type: [RunKindEnum], description: "The kinds of runs that the rule applies to." }),
    minimum: t.exposeInt("minimum", { description: WORDS.minimum }),
    approvers: t.field({
      type: [ActorRef],
      description:
        "The actors whose approval counts, beside the members of the teams. Without both, every approver counts.",
      resolve: async ({ approverIds }, _args, { loaders }) => {
        const found = await Promise.all(approverIds.map((id) => loaders.load(actorLoader, id)));
        return found.map((actor) => present(actor, "An approver"));
      },
    }),
    teamIds: t.exposeIDList("teamIds", { description: "The ids of the teams whose members count." }),
    teams: t.field({
      type: [TeamRef],
      description: "The teams whose members count, as far as the caller may read them (MEMBER_READ).",
      resolve: async ({ teamIds }, _args, { loaders }) => {
        const found = await Promise.all(teamIds.map((id) => loaders.load(teamLoader, id)));
        return found.filter((team) => team !== null);
      },
    }),
    excludeRequester: t.exposeBoolean("excludeRequester", { description: WORDS.excludeRequester }),
    distinctFromPlanApprover: t.exposeBoolean("distinctFromPlanApprover", {
      description: WORDS.distinctFromPlanApprover,
    }),
    commentRequired: t.exposeBoolean("commentRequired", { description: WORDS.commentRequired }),
    machinesCount: t.exposeBoolean("machinesCount", { description: WORDS.machinesCount }),
    requirePresence: t.exposeBoolean("requirePresence", { description: WORDS.requirePresence }),
    when: t.field({
      type: RuleConditionRef,
      nullable: true,
      description: WORDS.when,
      resolve: ({ when }) => when ?? null,
    }),
  }),
});

export const ApprovalRuleInputRef = builder.inputType("ApprovalRuleInput", {
  description: "One stage of a gate. The whole list of rules is set at once, in the order of the stages.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    gate: t.field({ type: GateEnum, required: true, description: WORDS.gate }),
    kinds: t.field({
      type: [RunKindEnum],
      description:
        "The kinds of runs that the rule applies to. The default is DEPLOY, DESTROY and APPLY, and TASK at the apply gate unless `when` asks about the plan. PLAN is allowed at the plan gate.",
    }),
    minimum: t.int({ required: true, defaultValue: 1, description: WORDS.minimum }),
    approverIds: t.idList({
      required: true,
      defaultValue: [],
      description:
        "The ids of users and machine users whose approval counts, beside the members of the teams. Without both, every approver counts.",
    }),
    teamIds: t.idList({
      required: true,
      defaultValue: [],
      description: "The ids of teams of the organization. An approval counts by who is a member when it is given.",
    }),
    excludeRequester: t.boolean({ required: true, defaultValue: false, description: WORDS.excludeRequester }),
    distinctFromPlanApprover: t.boolean({
      required: true,
      defaultValue: false,
      description: WORDS.distinctFromPlanApprover,
    }),
    commentRequired: t.boolean({ required: true, defaultValue: false, description: WORDS.commentRequired }),
    machinesCount: t.boolean({ required: true, defaultValue: false, description: WORDS.machinesCount }),
    requirePresence: t.boolean({ required: true, defaultValue: false, description: WORDS.requirePresence }),
    when: t.field({ type: RuleConditionInputRef, description: WORDS.when }),
  }),
});
