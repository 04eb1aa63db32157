import { requiredPermissions } from "../kit/field-permissions.ts";
import type { ApprovalDecision, Gate } from "../../model/approval/approval.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { ApprovalRef, approvalLoader } from "../kit/refs.ts";

export const GateEnum = describedEnum<Gate>(
  "Gate",
  "The two points at which a run waits for approval, in this order.",
  {
    PLAN: "The plan gate: people decide whether the plan is acceptable.",
    APPLY: "The apply gate: people decide whether the apply starts now.",
  },
);

const ApprovalDecisionEnum = describedEnum<ApprovalDecision>(
  "ApprovalDecision",
  "The decision of a person at a gate.",
  {
    APPROVED: "The person approved. The run continues once enough people approved.",
    REJECTED: "The person rejected the plan, which ended the run.",
    WITHDRAWN: "The person withdrew an approval or an override of this stage.",
    OVERRIDDEN: "The person overrode the failures of a policy set. It is no approval.",
  },
);

addNode("approval", "Approval", approvalLoader);
ApprovalRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The decision of a person about exactly one plan.",
  interfaces: [NodeRef],
  fields: (t) => ({
    counts: t.exposeBoolean("counts", {
      description:
        "Whether the decision is current. `false` if a newer plan or decision replaced it, or it is a withdrawal.",
    }),
    gate: t.expose("gate", { type: GateEnum, description: "The gate at which it was made." }),
    stage: t.exposeString("stage", {
      nullable: true,
      description: "The stage of the gate: the name of an approval rule. `null` if no rule divided the gate.",
    }),
    decision: t.expose("decision", { type: ApprovalDecisionEnum, description: "The decision." }),
    actor: t.field({
      type: ActorRef,
      description: "The actor that decided.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    countsAs: t.field({
      type: ActorRef,
      nullable: true,
      description:
        "The actor as which that one counted, because it had invited it shortly before. `null` if it counted as itself.",
      resolve: ({ actorId, countsAs }, _args, { loaders }) =>
        countsAs === actorId ? null : loaders.load(actorLoader, countsAs),
    }),
    present: t.exposeBoolean("present", {
      description: "Whether that person had signed in during the 10 minutes before, in the session that decided.",
    }),
    comment: t.exposeString("comment", {
      nullable: true,
      description: "The comment of that person. `null` if there is none.",
    }),
    planVersion: t.exposeInt("planVersion", { description: "The version of the plan that was decided about." }),
    planDigest: t.exposeString("planDigest", {
      description: "The digest of that plan. The approval is valid for no other plan.",
    }),
    applyAt: t.expose("applyAt", {
      type: "DateTime",
      nullable: true,
      description: "The earliest start of the apply that this person set. `null` if none was set.",
    }),
    at: t.expose("at", { type: "DateTime", description: "When the decision was made." }),
  }),
});
