import type { ApprovalRequirement } from "../../domain/run/approval-commands.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { ActorRef } from "../people/actor.ts";
import { GateEnum } from "./approval.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { DEPENDS_ON_ACTOR } from "../kit/depends-on-actor.ts";
import { present } from "../kit/errors.ts";
import { ApprovalRef, RunRef } from "../kit/refs.ts";
import { ofWholeRun } from "../run/whole-run.ts";

const ApprovalRequirementRef = builder.objectRef<ApprovalRequirement>("ApprovalRequirement").implement({
  description: "One stage of a gate that a run waits at or will meet: what it has, what it misses, who can give it.",
  fields: (t) => ({
    gate: t.expose("gate", { type: GateEnum, description: "The gate." }),
    stage: t.exposeString("stage", {
      nullable: true,
      description: "The name of its approval rule; null where no rule divides the gate.",
    }),
    minimum: t.exposeInt("minimum", { description: "How many people must approve." }),
    given: t.field({
      type: [ApprovalRef],
      description: "The approvals that count here by the rules of now, oldest first.",
      resolve: ({ given }) => given,
    }),
    missing: t.exposeInt("missing", { description: "How many more people must approve." }),
    satisfied: t.exposeBoolean("satisfied", { description: "Whether nobody is missing." }),
    current: t.exposeBoolean("current", { description: "Whether the run waits for this stage now." }),
    commentRequired: t.exposeBoolean("commentRequired", { description: "Whether an approval must have a comment." }),
    excludeRequester: t.exposeBoolean("excludeRequester", {
      description: "Four eyes: whoever created the run does not count.",
    }),
    distinctFromPlanApprover: t.exposeBoolean("distinctFromPlanApprover", {
      description: "Whoever approved the plan does not count at the apply gate.",
    }),
    eligibleActors: t.field({
      type: [ActorRef],
      description: `Who can still give an approval: actors with a live token that may approve, whom the rule lets count. At most ${LIMITS.eligibleActorsShown}; where nobody is left, rules or tokens must change.`,
      resolve: ({ eligibleActorIds }, _args, { loaders }) =>
        Promise.all(eligibleActorIds.map(async (id) => present(await loaders.actor.load(id), `Actor ${id}`))),
    }),
    viewerCanApprove: t.exposeBoolean("viewerCanApprove", {
      extensions: { ...DEPENDS_ON_ACTOR, ...asksFor("run:approve") },
      description: "Whether an approval of the caller would count here now.",
    }),
    viewerReason: t.exposeString("viewerReason", {
      extensions: { ...DEPENDS_ON_ACTOR, ...asksFor("run:approve") },
      nullable: true,
      description: "Why not, for a person; null where it would.",
    }),
  }),
});

builder.objectField(RunRef, "approvalRequirements", (t) =>
  t.field({
    type: [ApprovalRequirementRef],
    description:
      "The stages of the gates that the run waits at or is sure to meet, in order, by the approval rules of now. Empty once it is confirmed or has ended.",
    ...ofWholeRun((run, { loaders }) => loaders.approvalRequirements.load(run)),
  }),
);
