import { asksFor } from "../kit/asks-for.ts";
import type { ApprovalDecision, Gate } from "../../model/approval/approval.ts";
import { ActorRef } from "../people/actor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { ApprovalRef } from "../kit/refs.ts";

export const GateEnum = describedEnum<Gate>("Gate", "The two questions that a run asks people, in this order.", {
  PLAN: "Is this plan acceptable?",
  APPLY: "Start the apply now?",
});

const ApprovalDecisionEnum = describedEnum<ApprovalDecision>("ApprovalDecision", "What a person decided at a gate.", {
  APPROVED: "Yes: the run goes on once enough people said so.",
  REJECTED: "No: the run has ended.",
  WITHDRAWN: "What the same person approved at this stage is taken back.",
});

ApprovalRef.implement({
  extensions: asksFor("run:read"),
  description: "A person's decision about exactly one plan.",
  interfaces: [NodeRef],
  fields: (t) => ({
    counts: t.exposeBoolean("counts", {
      description:
        "false: a newer plan or a newer decision of the same person at this stage replaced it, or it is a withdrawal.",
    }),
    gate: t.expose("gate", { type: GateEnum, description: "The gate at which it was made." }),
    stage: t.exposeString("stage", {
      nullable: true,
      description: "The stage of the gate: the name of an approval rule. null where no rule divided the gate.",
    }),
    decision: t.expose("decision", { type: ApprovalDecisionEnum, description: "Yes, no, or not any more." }),
    actor: t.field({
      type: ActorRef,
      description: "Who decided.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.actor.load(actorId), `Actor ${actorId}`),
    }),
    comment: t.exposeString("comment", { nullable: true, description: "What that person said about it." }),
    planVersion: t.exposeInt("planVersion", { description: "The version of the plan that was decided about." }),
    planDigest: t.exposeString("planDigest", {
      description: "The digest of that plan: nothing else can be applied by this approval.",
    }),
    applyAt: t.expose("applyAt", {
      type: "DateTime",
      nullable: true,
      description: "When the apply was to begin at the earliest, as this person said.",
    }),
    at: t.expose("at", { type: "DateTime", description: "When it was made." }),
  }),
});
