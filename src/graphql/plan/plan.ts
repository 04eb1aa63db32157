import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { EngineVersion, OutputChange, Plan } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { PlanRef, RunRef } from "../kit/refs.ts";
import { ResourceActionEnum } from "./resource-change.ts";

const OutputChangeRef = builder.objectRef<OutputChange>("OutputChange").implement({
  description: "One output that a plan changes.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the output." }),
    action: t.expose("action", { type: ResourceActionEnum, description: "What happens to it." }),
    sensitive: t.exposeBoolean("sensitive", { description: "Whether its value is hidden." }),
  }),
});

async function runOfPlan({ loaders }: GraphqlContext, plan: Plan): Promise<Run> {
  return present(await loaders.run.load(plan.runId), `Run of plan ${plan.id}`);
}

/** Another plan is on its way: the newest one that exists is the old one. */
function isReplanning({ status, leg }: Run): boolean {
  const { claimable, approved, runnerBusy } = STATUS_TRAITS[status];
  return leg === "REPLAN" && (runnerBusy || (claimable && !approved));
}

async function isCurrent(context: GraphqlContext, plan: Plan): Promise<boolean> {
  const [run, newest] = await Promise.all([runOfPlan(context, plan), context.loaders.newestPlan.load(plan.runId)]);
  if (newest?.id !== plan.id || isReplanning(run)) return false;
  const workspace = present(await context.loaders.workspace.load(run.workspaceId), `Workspace of run ${run.id}`);
  return plan.stateSerial === workspace.stateSerial;
}

export const EngineRef = builder.objectRef<EngineVersion>("Engine").implement({
  description: "The program that plans and applies.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "terraform or tofu." }),
    version: t.exposeString("version", { description: "As the engine prints it, such as 1.11.4." }),
  }),
});

PlanRef.implement({
  extensions: asksFor("run:read"),
  description: "What the engine would do, as it was made at one point in time. A plan never changes.",
  interfaces: [NodeRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run that made it.",
      resolve: (plan, _args, context) => runOfPlan(context, plan),
    }),
    version: t.exposeInt("version", {
      description: "Counts up within the run, from 1. Decisions name it, so that they cannot hit another plan.",
    }),
    isCurrent: t.boolean({
      extensions: asksFor("workspace:read"),
      description: "Whether a gate can still be about it: no newer plan exists and the state has not moved.",
      resolve: (plan, _args, context) => isCurrent(context, plan),
    }),
    engine: t.expose("engine", {
      type: EngineRef,
      description: "What made the plan; only the same engine in the same version may apply it.",
    }),
    digest: t.exposeString("digest", {
      description:
        "SHA-256 of the plan file as the engine wrote it; what an approval is bound to and what the apply checks.",
    }),
    hasChanges: t.exposeBoolean("hasChanges", {
      description:
        "Whether applying would change anything, the state included (moves, imports, refreshed values): the engine's own word.",
    }),
    complete: t.exposeBoolean("complete", {
      description: "false: some changes were left out (targets, deferred); another plan is needed to converge.",
    }),
    additions: t.exposeInt("additions", { description: "Resources that are created; replacements not counted." }),
    changes: t.exposeInt("changes", { description: "Resources that are changed in place." }),
    destructions: t.exposeInt("destructions", {
      description: "Resources that are destroyed; replacements not counted.",
    }),
    replacements: t.exposeInt("replacements", { description: "Resources that are destroyed and created anew." }),
    imports: t.exposeInt("imports", { description: "Existing objects that are taken into the state." }),
    moves: t.exposeInt("moves", { description: "Resources that get another address." }),
    forgets: t.exposeInt("forgets", { description: "Resources that leave the state and go on to exist." }),
    targets: t.exposeStringList("targets", {
      description: "What was picked for it; empty where it is about the whole configuration.",
    }),
    text: t.string({
      nullable: true,
      description: "The plan as a person reads it, masked.",
      resolve: (plan, _args, { loaders }) => loaders.planText.load(plan.id),
    }),
    outputChanges: t.field({
      type: [OutputChangeRef],
      description: "The outputs that change.",
      resolve: (plan) => plan.outputChanges,
    }),
    archiveExpiredAt: t.expose("archiveExpiredAt", {
      type: "DateTime",
      nullable: true,
      description:
        "Since when the files that an apply needs are no longer kept (`Organization.retention`): no run can be made of it. null: they are.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
  }),
});
