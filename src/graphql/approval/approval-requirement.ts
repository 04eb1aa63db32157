import { loaderByRun } from "../kit/loader.ts";
import type { ApprovalRequirement } from "../../domain/run/approval-commands.ts";
import type { StageSource } from "../../model/approval/run-stage.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { ActorRef, personLoader } from "../people/actor.ts";
import { GateEnum } from "./approval.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { ApprovalRef, RunRef } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { wholeRunField } from "../run/whole-run.ts";

export const approvalRequirementsLoader = loaderByRun((domain, caller, runs) =>
  domain.approvalRequirements(caller, runs),
);

const StageSourceEnum = describedEnum<StageSource>("StageSource", "The origin of a stage.", {
  RULE: "An approval rule of the organization or the workspace.",
  POLICY: "A policy that demands approvals.",
  OVERRIDE: "Failures of a policy set that must be overridden.",
});

export const ApprovalRequirementRef = builder.objectRef<ApprovalRequirement>("ApprovalRequirement").implement({
  description:
    "One stage of a gate that the run waits at or will reach, with its approvals so far and the people who can add one.",
  fields: (t) => ({
    gate: t.expose("gate", { type: GateEnum, description: "The gate." }),
    stage: t.exposeString("stage", {
      nullable: true,
      description: "The name of its approval rule. `null` if no rule divides the gate.",
    }),
    source: t.expose("source", {
      type: StageSourceEnum,
      nullable: true,
      description: "The origin of the stage. `null` if no rule divides the gate.",
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why the stage is one of this run. `null` if its rule applies to all runs.",
    }),
    minimum: t.exposeInt("minimum", { description: "The number of people who must approve." }),
    given: t.field({
      type: [ApprovalRef],
      description: "The approvals that count by the current rules, oldest first.",
      resolve: ({ given }) => given,
    }),
    missing: t.exposeInt("missing", { description: "The number of people who must still approve." }),
    satisfied: t.exposeBoolean("satisfied", { description: "Whether enough people approved." }),
    current: t.exposeBoolean("current", { description: "Whether the run waits for this stage now." }),
    commentRequired: t.exposeBoolean("commentRequired", { description: "Whether an approval must have a comment." }),
    machinesCount: t.exposeBoolean("machinesCount", { description: "Whether machine users count." }),
    requirePresence: t.exposeBoolean("requirePresence", {
      description: "Whether an approval takes a sign-in of the last 10 minutes.",
    }),
    excludeRequester: t.exposeBoolean("excludeRequester", {
      description: "Whether the approval of the person who created the run does not count (four eyes).",
    }),
    distinctFromPlanApprover: t.exposeBoolean("distinctFromPlanApprover", {
      description: "Whether the approval of a person who approved the plan does not count at the apply gate.",
    }),
    eligibleActors: t.field({
      type: [ActorRef],
      // Everyone may read themselves.
      extensions: { ...ACTOR_DEPENDENT, ...LEAVES_WORKSPACE, ...requiredPermissions("MEMBER_READ") },
      description: `The actors whose approval would still count: they may approve at this gate, can sign in or have a valid token, and the rule allows them. At most ${LIMITS.eligibleActorsShown}. Those whom the caller may not read are left out. If there are none, change the rules, or grant a person a role that approves.`,
      resolve: async ({ eligibleActorIds }, _args, { loaders }) => {
        const actors = await Promise.all(eligibleActorIds.map((id) => loaders.load(personLoader, id)));
        return actors.filter((actor) => actor !== null);
      },
    }),
    viewerCanApprove: t.exposeBoolean("viewerCanApprove", {
      extensions: { ...ACTOR_DEPENDENT, ...requiredPermissions("PLAN_APPROVE", "APPLY_APPROVE") },
      description: "Whether an approval of the caller would count now.",
    }),
    viewerReason: t.exposeString("viewerReason", {
      extensions: { ...ACTOR_DEPENDENT, ...requiredPermissions("PLAN_APPROVE", "APPLY_APPROVE") },
      nullable: true,
      description: "The reason why the caller's approval would not count. `null` if it would.",
    }),
  }),
});

builder.objectField(RunRef, "approvalRequirements", (t) =>
  t.field({
    type: [ApprovalRequirementRef],
    description:
      "The stages of the gates that the run waits at or will reach, in order, by the current approval rules and those that were decided for its plan. Empty if the run is confirmed or has ended.",
    ...wholeRunField((run, { loaders }) => loaders.load(approvalRequirementsLoader, run)),
  }),
);
