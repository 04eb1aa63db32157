import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { ActorRef } from "../people/actor.ts";
import { GateEnum } from "./approval.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { RunKindEnum } from "../run/run-enums.ts";

const WORDS = {
  name: "Unique among the rules beside it.",
  gate: "The gate that it is a stage of.",
  minimum: "How many people must approve.",
  excludeRequester: "Four eyes: whoever created the run, or asked for the plan at hand by a replan, does not count.",
  distinctFromPlanApprover: "Whoever approved the plan of a run does not count at its apply gate.",
  commentRequired: "An approval without a comment is refused.",
} as const;

export const ApprovalRuleRef = builder.objectRef<ApprovalRule>("ApprovalRule").implement({
  description: "One stage of a gate: who must approve. Stages are passed in order, those of the organization first.",
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    gate: t.expose("gate", { type: GateEnum, description: WORDS.gate }),
    kinds: t.expose("kinds", { type: [RunKindEnum], description: "The kinds of runs that it holds for." }),
    minimum: t.exposeInt("minimum", { description: WORDS.minimum }),
    approvers: t.field({
      type: [ActorRef],
      description: "Whose approval counts; empty: that of whoever may approve.",
      resolve: async ({ approverIds }, _args, { loaders }) => {
        const found = await Promise.all(approverIds.map((id) => loaders.actor.load(id)));
        return found.map((actor) => present(actor, "An approver"));
      },
    }),
    excludeRequester: t.exposeBoolean("excludeRequester", { description: WORDS.excludeRequester }),
    distinctFromPlanApprover: t.exposeBoolean("distinctFromPlanApprover", {
      description: WORDS.distinctFromPlanApprover,
    }),
    commentRequired: t.exposeBoolean("commentRequired", { description: WORDS.commentRequired }),
  }),
});

export const ApprovalRuleInputRef = builder.inputType("ApprovalRuleInput", {
  description: "One stage of a gate. Rules are given as a whole list, in the order in which stages are passed.",
  fields: (t) => ({
    name: t.string({ required: true, description: WORDS.name }),
    gate: t.field({ type: GateEnum, required: true, description: WORDS.gate }),
    kinds: t.field({
      type: [RunKindEnum],
      description:
        "The kinds of runs that it holds for; absent: DEPLOY, DESTROY and APPLY, at the apply gate TASK as well. At the plan gate PLAN can be named.",
    }),
    minimum: t.int({ required: true, defaultValue: 1, description: WORDS.minimum }),
    approverIds: t.idList({
      required: true,
      defaultValue: [],
      description: "Ids of users and machine users whose approval counts; empty: that of whoever may approve.",
    }),
    excludeRequester: t.boolean({ required: true, defaultValue: false, description: WORDS.excludeRequester }),
    distinctFromPlanApprover: t.boolean({
      required: true,
      defaultValue: false,
      description: WORDS.distinctFromPlanApprover,
    }),
    commentRequired: t.boolean({ required: true, defaultValue: false, description: WORDS.commentRequired }),
  }),
});
