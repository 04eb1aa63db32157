import { loaderByRun, loaderOf } from "../kit/loader.ts";
import { plansLoader } from "../plan/plan.ts";
import { ACTION_PERMISSIONS } from "../../domain/run/run-actions.ts";
import { toDialects } from "../../model/lifecycle/dialects.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { plannedBy, requiredAction, type Run, type RunSummary } from "../../model/run/run.ts";
import { isTerminal, isVerifying, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { pageArgs } from "../kit/page.ts";
import { ACTOR_DEPENDENT } from "../kit/actor-dependence.ts";
import { present } from "../kit/errors.ts";
import { FINDS_BY_ID, NEEDS_ONLY_ID } from "../execution/read-ahead.ts";
import { LogLineConnectionRef, logArgs, logExtentLoader, readLog } from "../plan/log.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { MetadataEntryRef, toEntries } from "../kit/metadata.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  ApprovalRef,
  BlockerRef,
  FailureRef,
  PhaseRef,
  PlanRef,
  RunRef,
  WorkspaceRef,
  runLoader,
  verificationOfRunLoader,
  workspaceLoader,
} from "../kit/refs.ts";
import {
  RequiredActionEnum,
  RunKindEnum,
  RunLegEnum,
  RunOutcomeEnum,
  RunStatusEnum,
  RunTriggerEnum,
} from "./run-enums.ts";
import { readEvents, RunEventConnectionRef } from "./run-event.ts";
import { relation } from "../kit/relation.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { RunActionAvailabilityRef } from "./run-action.ts";
import { RunDialectsRef } from "./dialects.ts";
import { SourceInputsRef } from "./source-inputs.ts";
import { readBlockers, readNewestPlan, readWarnings } from "./run-relations.ts";
import { findRun, phasesField } from "./run-phases.ts";
import { wholeRunField } from "./whole-run.ts";

const approvalsLoader = loaderOf((domain, caller, ids) => domain.approvalsOfRuns(caller, ids));
const inputsLoader = loaderOf((domain, caller, ids) => domain.inputsOfRuns(caller, ids));
const actionsLoader = loaderByRun((domain, caller, runs) => domain.actions(caller, runs));
const forceAllowedAtLoader = loaderByRun((domain, caller, runs) => domain.forceAllowedAt(caller, runs));

interface CancelRequest {
  actorId: string;
  at: string;
  /** `null` if no runner executes the run, so that force needs no wait. */
  executed: Run | null;
}

const CancelRequestRef = builder.objectRef<CancelRequest>("CancelRequest").implement({
  description: "A request to stop a run.",
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "The actor that made the request.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, actorId), `Actor ${actorId}`),
    }),
    at: t.expose("at", { type: "DateTime", description: "When the request was made." }),
    forceAllowedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When an admin may stop the run by force. `null` if force does not apply.",
      resolve: ({ executed }, _args, { loaders }) =>
        executed === null ? null : loaders.load(forceAllowedAtLoader, executed),
    }),
  }),
});

function cancelRequestOf(run: Run): CancelRequest | null {
  const { cancelRequest, status } = run;
  if (cancelRequest === null || isTerminal(status)) return null;
  const executed = STATUS_TRAITS[status].runnerBusy;
  return { ...cancelRequest, executed: executed ? run : null };
}

/** Whether the verification of a run has no result, and waits for a person. */
async function isInconclusive({ loaders }: GraphqlContext, { id, status }: Run): Promise<boolean> {
  if (!isVerifying(status)) return false;
  return (await loaders.load(verificationOfRunLoader, id))?.status === "INCONCLUSIVE";
}

addNode("run", "Run", runLoader);
RunRef.implement({
  extensions: requiredPermissions("RUN_READ"),
  description: "One change of a workspace, from creation to end. A run that has ended never changes.",
  interfaces: [NodeRef],
  fields: (t) => ({
    number: t.exposeInt("number", { description: "The number within the workspace, from 1." }),
    workspace: t.field({
      type: WorkspaceRef,
      description: "The workspace of the run.",
      ...relation(
        workspaceLoader,
        (run: RunSummary) => run.workspaceId,
        (workspace, run) => present(workspace, `Workspace of run ${run.id}`),
      ),
    }),
    kind: t.expose("kind", { type: RunKindEnum, description: "The kind: what the run is asked to do." }),
    status: t.expose("status", { type: RunStatusEnum, description: "The status." }),
    leg: t.field({
      type: RunLegEnum,
      description: "The stretch of work that the run is on, or ended on.",
      ...wholeRunField(({ leg }) => leg),
    }),
    outcome: t.expose("outcome", {
      type: RunOutcomeEnum,
      nullable: true,
      description: "How the run ended. `null` unless the status is FINISHED.",
    }),
    isTerminal: t.boolean({ description: "Whether the run has ended.", resolve: ({ status }) => isTerminal(status) }),
    requiredAction: t.field({
      type: RequiredActionEnum,
      description: "The next thing that a person does about the run.",
      ...wholeRunField(async (run, context) => {
        const blockers = await readBlockers(context, run);
        const isLocked = blockers.some(({ kind }) => kind === "WORKSPACE_LOCKED");
        return requiredAction(run, isLocked, await isInconclusive(context, run));
      }),
    }),
    trigger: t.expose("trigger", { type: RunTriggerEnum, description: "The cause of the run." }),
    createdBy: t.field({
      type: ActorRef,
      description: "The actor that caused the run.",
      ...relation(
        actorLoader,
        (run: RunSummary) => run.createdById,
        (actor, run) => present(actor, `Actor ${run.createdById}`),
      ),
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "The reason that its creator gave. `null` if there is none.",
    }),
    revision: t.string({
      nullable: true,
      description:
        "The revision of the source: a git commit, or the digest of the packed folder. `null` if it is not known yet.",
      ...wholeRunField(({ revision }) => revision),
    }),
    inputs: t.field({
      type: SourceInputsRef,
      nullable: true,
      description: "The files of the repository that the engine reads. `null` if the source is no repository.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(inputsLoader, id),
    }),
    targets: t.stringList({
      description:
        "The resources that the run is limited to, with their dependencies. Empty for the whole configuration.",
      ...wholeRunField(({ targets }) => targets),
    }),
    replace: t.stringList({
      description: "The resources to replace even if they are unchanged.",
      ...wholeRunField(({ replace }) => replace),
    }),
    refreshOnly: t.boolean({
      description: "Whether the run only updates the state with changes made outside, and changes no infrastructure.",
      ...wholeRunField(({ refreshOnly }) => refreshOnly),
    }),
    command: t.string({
      ...wholeRunField(({ command }) => command),
      nullable: true,
      description:
        "The shell command of a run of kind TASK, or a description of its `stateRollback`. `null` for other kinds.",
    }),
    metadata: t.field({
      type: [MetadataEntryRef],
      description: "The metadata that its creator gave, by key. `RunFilter.metadata` searches it.",
      ...wholeRunField(({ metadata }) => toEntries(metadata)),
    }),
    priority: t.int({
      ...wholeRunField(({ priority }) => priority),
      description: "The priority; higher goes first among the runs of its class: applies, plans, speculative plans.",
    }),
    scheduledAt: t.field({
      ...wholeRunField(({ scheduledAt }) => scheduledAt),
      type: "DateTime",
      nullable: true,
      description: "The earliest start. `null` if the run starts as soon as possible.",
    }),
    applyAt: t.field({
      ...wholeRunField(({ applyAt }) => applyAt),
      type: "DateTime",
      nullable: true,
      description:
        "The earliest start of the apply: the time that an approver set or, at the apply gate, the end of the freeze window " +
        "that holds auto-apply back. `null` if it starts as soon as possible, or a person must confirm it first.",
    }),
    version: t.int({
      ...wholeRunField(({ version }) => version),
      description: "The number of the newest event of the run. It grows by one with every event.",
    }),
    plan: t.field({
      type: PlanRef,
      nullable: true,
      description:
        "The newest plan. `null` before the first plan. While the run plans again it is the old plan, with `isCurrent` false. A run of kind APPLY shows the plan of its PLAN run.",
      ...wholeRunField((run, context) => readNewestPlan(context, run)),
    }),
    plans: t.field({
      type: [PlanRef],
      description: "All plans, oldest first: a replan adds one. A run of kind APPLY has the plan of its PLAN run.",
      ...wholeRunField((run, { loaders }) => loaders.load(plansLoader, plannedBy(run))),
    }),
    phases: t.field({
      type: [PhaseRef],
      description: "The phases of the run so far, in order.",
      ...phasesField,
    }),
    approvals: t.field({
      type: [ApprovalRef],
      description: "The decisions of people, oldest first, replaced ones included.",
      resolve: (run, _args, { loaders }) => loaders.load(approvalsLoader, run.id),
    }),
    blockers: t.field({
      type: [BlockerRef],
      description:
        "The reasons why the run waits. Never empty while QUEUED; possibly empty while READY, REPLAN_REQUESTED or CONFIRMED; otherwise empty.",
      ...wholeRunField(
        (run, context) => readBlockers(context, run),
        requiredPermissions("FIGURES_READ", "RUNNER_READ"),
      ),
    }),
    failure: t.field({
      type: FailureRef,
      nullable: true,
      description: "Why the run ended FAILED, TIMED_OUT or REJECTED, or an apply was STOPPED. `null` otherwise.",
      ...wholeRunField(({ failure }) => failure),
    }),
    warnings: t.stringList({
      description:
        "The warnings to read before deciding: the resources that a destroy removes, the command of a task, the advice of a policy, modules that no configuration names, check blocks that fail in the plan, an incomplete plan, or that the next run undoes a rollback.",
      ...wholeRunField((run, context) => readWarnings(context, run)),
    }),
    policyWarnings: t.int({
      description:
        "The number of violations of the run and its newest plan, at the level ADVISORY, that stop auto-apply. An approval at the plan gate accepts them.",
      ...wholeRunField(({ policyWarnings }) => policyWarnings),
    }),
    reason: t.string({
      ...wholeRunField(({ reason }) => reason),
      nullable: true,
      description:
        "The reason given by the person or rule that ended, skipped or stopped the run. `null` if there is none.",
    }),
    cancelRequested: t.field({
      type: CancelRequestRef,
      nullable: true,
      description: "Whether a stop was requested that the runner has not acknowledged yet.",
      ...wholeRunField(cancelRequestOf),
    }),
    forced: t.boolean({
      ...wholeRunField(({ forced }) => forced),
      description: "Whether the run was stopped by force: its runner was fenced, not asked.",
    }),
    origin: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that this run retries, applies, promotes or goes back to. `null` if there is none.",
      ...wholeRunField(({ originId }, { loaders }) => (originId === null ? null : loaders.load(runLoader, originId))),
    }),
    createdByRun: t.field({
      type: RunRef,
      nullable: true,
      description:
        "The run that created this run by its token. `null` if a person or a machine user did, or the caller may not read it.",
      ...wholeRunField(
        ({ actingRunId }, { loaders }) => (actingRunId === null ? null : loaders.load(runLoader, actingRunId)),
        LEAVES_WORKSPACE,
      ),
    }),
    actions: t.field({
      type: [RunActionAvailabilityRef],
      description: "Every action, and whether the caller may take it now.",
      ...wholeRunField((run, { loaders }) => loaders.load(actionsLoader, run), {
        ...ACTOR_DEPENDENT,
        ...requiredPermissions(...ACTION_PERMISSIONS),
      }),
    }),
    dialects: t.field({
      type: RunDialectsRef,
      description: "The status of the run in the terms of other products.",
      ...wholeRunField((run) => {
        const all = toDialects(run, run.forced);
        return {
          ...all,
          forgecroft: { ...all.forgecroft, planVersion: run.planVersion === 0 ? null : run.planVersion },
        };
      }),
    }),
    events: t.field({
      type: RunEventConnectionRef,
      description: "The events of the run so far, oldest first.",
      args: pageArgs(),
      resolve: (run, args, context) => readEvents(context, run.id, args),
    }),
    log: t.field({
      type: LogLineConnectionRef,
      description: `The log of all phases. At most ${LIMITS.logPageSize} lines a page; \`last\` without \`before\` returns the tail.`,
      extensions: NEEDS_ONLY_ID,
      args: logArgs(),
      resolve: (run, args, context) => readLog(context, run.id, null, args),
    }),
    logLineCount: t.int({
      description:
        "The number of lines of the log so far, which is the number of its newest line. It stays when the log was deleted (`logExpiredAt`).",
      extensions: NEEDS_ONLY_ID,
      resolve: async ({ id }, _args, { loaders }) => (await loaders.load(logExtentLoader, id))?.lineCount ?? 0,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the run was created." }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When a runner first took the run. `null` if none did yet.",
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the run ended. `null` if it is live.",
    }),
    appliedAt: t.field({
      ...wholeRunField(({ appliedAt }) => appliedAt),
      type: "DateTime",
      nullable: true,
      description: "When the changes were applied. `null` if they were not.",
    }),
  }),
});

builder.queryField("run", (t) =>
  t.field({
    type: RunRef,
    nullable: true,
    description: "The run with this id. `null` if it does not exist, or the caller may not read it.",
    extensions: FINDS_BY_ID,
    args: { id: t.arg.id({ required: true, description: "The id of the run." }) },
    resolve: (_root, { id }, context, info) => findRun(context, id, info),
  }),
);
