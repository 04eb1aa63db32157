import { loaderById, loaderOf } from "../kit/loader.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { countOutputs } from "../../model/plan/output-counts.ts";
import type { ActionInvocation, EngineVersion, Plan } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { PlanRef, RunRef, runLoader, workspaceLoader } from "../kit/refs.ts";
import { CostEstimateRef } from "./cost-estimate.ts";
import { OutputChangeRef, OutputCountsRef } from "./output-change.ts";

export const planLoader = loaderById(["plan"], (domain, caller, ids) => domain.plans(caller, ids));
export const newestPlanLoader = loaderOf((domain, caller, ids) => domain.newestPlans(caller, ids));
export const plansLoader = loaderOf((domain, caller, ids) => domain.plansOfRuns(caller, ids));
const planCostLoader = loaderOf((domain, caller, ids) => domain.planCosts(caller, ids));
const planTextLoader = loaderOf((domain, caller, ids) => domain.planTexts(caller, ids));

const ActionInvocationRef = builder.objectRef<ActionInvocation>("ActionInvocation").implement({
  description: "An action that an apply invokes, such as a restart of an instance.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address of the action." }),
    type: t.exposeString("type", { description: "The type of the action, as its provider names it." }),
    triggerAddress: t.exposeString("triggerAddress", {
      nullable: true,
      description: "The resource whose change triggers it. `null` if the plan was asked to invoke it.",
    }),
    triggerEvent: t.exposeString("triggerEvent", {
      nullable: true,
      description: "The event that triggers it, as the engine names it, such as AfterCreate.",
    }),
  }),
});

async function runOfPlan({ loaders }: GraphqlContext, plan: Plan): Promise<Run> {
  return present(await loaders.load(runLoader, plan.runId), `Run of plan ${plan.id}`);
}

/** Whether another plan is being made, so that the newest plan is an old one. */
function isReplanning({ status, leg }: Run): boolean {
  const { claimable, approved, runnerBusy } = STATUS_TRAITS[status];
  return leg === "REPLAN" && (runnerBusy || (claimable && !approved));
}

async function isCurrent(context: GraphqlContext, plan: Plan): Promise<boolean> {
  const [run, newest] = await Promise.all([
    runOfPlan(context, plan),
    context.loaders.load(newestPlanLoader, plan.runId),
  ]);
  if (newest?.id !== plan.id || isReplanning(run)) return false;
  const workspace = present(await context.loaders.load(workspaceLoader, run.workspaceId), `Workspace of run ${run.id}`);
  return plan.stateSerial === workspace.stateSerial;
}

export const EngineRef = builder.objectRef<EngineVersion>("Engine").implement({
  description: "The engine that plans and applies.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name: terraform or tofu." }),
    version: t.exposeString("version", { description: "The version as the engine prints it, such as 1.11.4." }),
  }),
});

addNode("plan", "Plan", planLoader);
PlanRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "The changes that the engine would make. A plan never changes.",
  interfaces: [NodeRef],
  fields: (t) => ({
    run: t.field({
      type: RunRef,
      description: "The run that made the plan.",
      resolve: (plan, _args, context) => runOfPlan(context, plan),
    }),
    version: t.exposeInt("version", {
      description: "The version within the run, from 1. Decisions name it, so that they cannot apply to another plan.",
    }),
    isCurrent: t.boolean({
      extensions: requiredPermissions("WORKSPACE_READ"),
      description: "Whether the plan is current: no newer plan exists, and the state has not changed since.",
      resolve: (plan, _args, context) => isCurrent(context, plan),
    }),
    engine: t.expose("engine", {
      type: EngineRef,
      description: "The engine that made the plan. Only the same engine in the same version may apply it.",
    }),
    digest: t.exposeString("digest", {
      description: "The SHA-256 of the plan file. An approval is bound to it, and the apply checks it.",
    }),
    hasChanges: t.exposeBoolean("hasChanges", {
      description:
        "Whether the apply would change anything, including the state (moves, imports, refreshed values), as the engine reports it.",
    }),
    complete: t.exposeBoolean("complete", {
      description:
        "Whether the plan has all changes. `false` if some were left out (targets, deferred), so that another plan is needed to converge.",
    }),
    additions: t.exposeInt("additions", { description: "The number of resources to create, without replacements." }),
    changes: t.exposeInt("changes", { description: "The number of resources to change in place." }),
    destructions: t.exposeInt("destructions", {
      description: "The number of resources to destroy, without replacements.",
    }),
    replacements: t.exposeInt("replacements", { description: "The number of resources to destroy and create again." }),
    imports: t.exposeInt("imports", { description: "The number of existing objects to import into the state." }),
    moves: t.exposeInt("moves", { description: "The number of resources that get another address." }),
    forgets: t.exposeInt("forgets", {
      description: "The number of resources to remove from the state without destroying them.",
    }),
    targets: t.exposeStringList("targets", {
      description: "The targets of the plan. Empty for the whole configuration.",
    }),
    text: t.string({
      nullable: true,
      description: "The plan as text, with secrets masked.",
      resolve: (plan, _args, { loaders }) => loaders.load(planTextLoader, plan.id),
    }),
    outputChanges: t.field({
      type: [OutputChangeRef],
      description: "The outputs to change.",
      resolve: ({ id, outputChanges }) => outputChanges.map((change) => ({ ...change, planId: id })),
    }),
    outputCounts: t.field({
      type: OutputCountsRef,
      description: "The outputs to change, counted: what a list of plans needs.",
      resolve: ({ outputChanges }) => countOutputs(outputChanges),
    }),
    actionInvocations: t.field({
      type: [ActionInvocationRef],
      description: "The actions that an apply invokes, at most 500 of them. The plan does not show what they do.",
      resolve: (plan) => plan.actionInvocations,
    }),
    actionInvocationCount: t.exposeInt("actionInvocationCount", {
      description:
        "The number of actions that an apply invokes. `CREATE_ONLY` and `NO_DESTROY` cover no plan with any.",
    }),
    cost: t.field({
      type: CostEstimateRef,
      nullable: true,
      description:
        "The estimated cost, from the file `infracost.json` of a hook. `null` if there is none, or the plan has targets.",
      resolve: (plan, _args, { loaders }) => loaders.load(planCostLoader, plan.id),
    }),
    archiveExpiredAt: t.expose("archiveExpiredAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When retention deleted the files that an apply needs (`Organization.retention`), so that no run can apply the plan. `null` if they are kept.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the plan was made." }),
  }),
});
