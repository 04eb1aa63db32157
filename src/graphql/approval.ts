import type { ApprovalDecision, Gate } from "../model/approval.ts";
import { ActorRef } from "./actor.ts";
import { describedEnum } from "./described-enum.ts";
import { present } from "./errors.ts";
import { NodeRef } from "./node.ts";
import { ApprovalRef } from "./refs.ts";

export const GateEnum = describedEnum<Gate>("Gate", "The two questions that a run asks people, in this order.", {
  PLAN: "Is this plan acceptable?",
  APPLY: "Start the apply now?",
});

const ApprovalDecisionEnum = describedEnum<ApprovalDecision>("ApprovalDecision", "What a person decided at a gate.", {
  APPROVED: "Yes: the run goes on once enough people said so.",
  REJECTED: "No: the run has ended.",
});

ApprovalRef.implement({
  description: "A person's decision about exactly one plan.",
  interfaces: [NodeRef],
  fields: (t) => ({
    counts: t.exposeBoolean("counts", {
      description: "false: a newer plan or a newer decision of the same person replaced it.",
    }),
    gate: t.expose("gate", { type: GateEnum, description: "The gate at which it was made." }),
    decision: t.expose("decision", { type: ApprovalDecisionEnum, description: "Yes or no." }),
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
    at: t.expose("at", { type: "DateTime", description: "When it was made." }),
  }),
});
