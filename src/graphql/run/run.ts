import { ACTION_PERMISSIONS } from "../../domain/run/run-actions.ts";
import { toDialects } from "../../model/lifecycle/dialects.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { plannedBy, requiredAction, type Run } from "../../model/run/run.ts";
import { isTerminal, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { ActorRef } from "../people/actor.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { pageArgs } from "../kit/page.ts";
import { DEPENDS_ON_ACTOR } from "../kit/depends-on-actor.ts";
import { present } from "../kit/errors.ts";
import { FINDS_BY_ID, NEEDS_ONLY_ID } from "../execution/read-ahead.ts";
import { LogLineConnectionRef, logArgs, readLog } from "../plan/log.ts";
import { MetadataEntryRef, toEntries } from "../kit/metadata.ts";
import { NodeRef } from "../kit/node.ts";
import { ApprovalRef, BlockerRef, FailureRef, PhaseRef, PlanRef, RunRef, WorkspaceRef } from "../kit/refs.ts";
import {
  RequiredActionEnum,
  RunKindEnum,
  RunLegEnum,
  RunOutcomeEnum,
  RunStatusEnum,
  RunTriggerEnum,
} from "./run-enums.ts";
import { readEvents, RunEventConnectionRef } from "./run-event.ts";
import { RunActionAvailabilityRef } from "./run-action.ts";
import { RunDialectsRef } from "./dialects.ts";
import { readBlockers, readNewestPlan, readWarnings } from "./run-relations.ts";
import { ofWholeRun } from "./whole-run.ts";

interface CancelRequest {
  actorId: string;
  at: string;
  /** null: nobody executes the run, so that force has nothing to wait for. */
  executed: Run | null;
}

const CancelRequestRef = builder.objectRef<CancelRequest>("CancelRequest").implement({
  description: "Somebody asked a run to stop.",
  fields: (t) => ({
    actor: t.field({
      type: ActorRef,
      description: "Who asked.",
      resolve: async ({ actorId }, _args, { loaders }) =>
        present(await loaders.actor.load(actorId), `Actor ${actorId}`),
    }),
    at: t.expose("at", { type: "DateTime", description: "When it was asked." }),
    forceAllowedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "From when on an admin may stop the run by force; null where force has no place.",
      resolve: ({ executed }, _args, { loaders }) => (executed === null ? null : loaders.forceAllowedAt.load(executed)),
    }),
  }),
});

function cancelRequestOf(run: Run): CancelRequest | null {
  const { cancelRequest, status } = run;
  if (cancelRequest === null || isTerminal(status)) return null;
  const executed = STATUS_TRAITS[status].runnerBusy;
  return { ...cancelRequest, executed: executed ? run : null };
}

RunRef.implement({
  extensions: asksFor("run:read"),
  description: "One change of a workspace, from its creation to its end. A run that has ended never changes.",
  interfaces: [NodeRef],
  fields: (t) => ({
    number: t.exposeInt("number", { description: "Counts up within the workspace, from 1." }),
    workspace: t.field({
      type: WorkspaceRef,
      description: "What it changes.",
      resolve: async (run, _args, { loaders }) =>
        present(await loaders.workspace.load(run.workspaceId), `Workspace of run ${run.id}`),
    }),
    kind: t.expose("kind", { type: RunKindEnum, description: "What it is asked to do." }),
    status: t.expose("status", { type: RunStatusEnum, description: "Where it is." }),
    leg: t.field({
      type: RunLegEnum,
      description: "The stretch of work that it is on, or ended on.",
      ...ofWholeRun(({ leg }) => leg),
    }),
    outcome: t.expose("outcome", {
      type: RunOutcomeEnum,
      nullable: true,
      description: "How it ended; set with the status FINISHED only.",
    }),
    isTerminal: t.boolean({ description: "Whether it has ended.", resolve: ({ status }) => isTerminal(status) }),
    requiredAction: t.field({
      type: RequiredActionEnum,
      description: "What a person does next.",
      ...ofWholeRun(async (run, context) => {
        const blockers = await readBlockers(context, run);
        return requiredAction(
          run,
          blockers.some(({ kind }) => kind === "WORKSPACE_LOCKED"),
        );
      }),
    }),
    trigger: t.expose("trigger", { type: RunTriggerEnum, description: "What caused it." }),
    createdBy: t.field({
      type: ActorRef,
      description: "Who caused it.",
      resolve: async ({ createdById }, _args, { loaders }) =>
        present(await loaders.actor.load(createdById), `Actor ${createdById}`),
    }),
    message: t.exposeString("message", { nullable: true, description: "What its creator said about it." }),
    revision: t.string({
      nullable: true,
      description: "What was planned: a git commit, or the digest of the packed folder; null before it is known.",
      ...ofWholeRun(({ revision }) => revision),
    }),
    targets: t.stringList({
      description: "The resources that it is limited to, with what they depend on; empty: the whole configuration.",
      ...ofWholeRun(({ targets }) => targets),
    }),
    replace: t.stringList({
      description: "Resources that are to be made anew even if unchanged.",
      ...ofWholeRun(({ replace }) => replace),
    }),
    refreshOnly: t.boolean({
      description: "Whether it only takes into the state what changed outside, and changes no infrastructure.",
      ...ofWholeRun(({ refreshOnly }) => refreshOnly),
    }),
    command: t.string({
      ...ofWholeRun(({ command }) => command),
      nullable: true,
      description:
        "What a run of kind TASK performs, as a shell reads it, or in words where it is a `stateRollback`; null for other kinds.",
    }),
    metadata: t.field({
      type: [MetadataEntryRef],
      description: "What its creator noted with it, by key; `RunFilter.metadata` finds it again.",
      ...ofWholeRun(({ metadata }) => toEntries(metadata)),
    }),
    priority: t.int({
      ...ofWholeRun(({ priority }) => priority),
      description: "Higher goes first, among the runs of its class: applies, plans, speculative plans.",
    }),
    scheduledAt: t.field({
      ...ofWholeRun(({ scheduledAt }) => scheduledAt),
      type: "DateTime",
      nullable: true,
      description: "It does not begin before; null: as soon as it can.",
    }),
    applyAt: t.field({
      ...ofWholeRun(({ applyAt }) => applyAt),
      type: "DateTime",
      nullable: true,
      description:
        "When the apply begins at the earliest: as an approver said; at the apply gate, the end of the freeze window " +
        "that holds auto-apply back. `null`: as soon as possible, or a person must confirm first.",
    }),
    version: t.int({
      ...ofWholeRun(({ version }) => version),
      description: "Grows by one with every event of the run; the number of its newest event.",
    }),
    plan: t.field({
      type: PlanRef,
      nullable: true,
      description:
        "The newest plan; null before the first one. While the run plans again it is the old one, with isCurrent false. A run of kind APPLY shows the plan of its PLAN run.",
      ...ofWholeRun((run, context) => readNewestPlan(context, run)),
    }),
    plans: t.field({
      type: [PlanRef],
      description: "All plans, oldest first: a replan adds one. A run of kind APPLY has that of its PLAN run.",
      ...ofWholeRun((run, { loaders }) => loaders.plans.load(plannedBy(run))),
    }),
    phases: t.field({
      type: [PhaseRef],
      description: "The stretches of the run so far, in order.",
      resolve: (run, _args, { loaders }) => loaders.phases.load(run.id),
    }),
    approvals: t.field({
      type: [ApprovalRef],
      description: "What people decided, oldest first; those that were replaced included.",
      resolve: (run, _args, { loaders }) => loaders.approvals.load(run.id),
    }),
    blockers: t.field({
      type: [BlockerRef],
      description:
        "Why the run waits; never empty while QUEUED; may have entries while READY, REPLAN_REQUESTED and CONFIRMED; else empty.",
      ...ofWholeRun((run, context) => readBlockers(context, run)),
    }),
    failure: t.field({
      type: FailureRef,
      nullable: true,
      description: "Set when the run ended FAILED, TIMED_OUT or REJECTED, and when an apply was STOPPED.",
      ...ofWholeRun(({ failure }) => failure),
    }),
    warnings: t.stringList({
      description:
        "What a person should read before deciding: what a destroy removes, what a task performs, that the next run undoes a rollback, what a policy advises, a plan that is not complete.",
      ...ofWholeRun((run, context) => readWarnings(context, run)),
    }),
    reason: t.string({
      ...ofWholeRun(({ reason }) => reason),
      nullable: true,
      description: "What the person or rule that ended, skipped or stopped the run said.",
    }),
    cancelRequested: t.field({
      type: CancelRequestRef,
      nullable: true,
      description: "A stop was asked for and the runner has not acknowledged it yet.",
      ...ofWholeRun(cancelRequestOf),
    }),
    forced: t.boolean({
      ...ofWholeRun(({ forced }) => forced),
      description: "The run was stopped by force: its runner was fenced, not asked.",
    }),
    origin: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that this one retries, applies, promotes or rolls back.",
      ...ofWholeRun(({ originId }, { loaders }) => (originId === null ? null : loaders.run.load(originId))),
    }),
    actions: t.field({
      type: [RunActionAvailabilityRef],
      description: "Each action, and whether the caller may take it now.",
      ...ofWholeRun((run, { loaders }) => loaders.actions.load(run), {
        ...DEPENDS_ON_ACTOR,
        ...asksFor(...ACTION_PERMISSIONS),
      }),
    }),
    dialects: t.field({
      type: RunDialectsRef,
      description: "The same run in the words of other products.",
      ...ofWholeRun((run) => {
        const all = toDialects(run, run.forced);
        return {
          ...all,
          forgecroft: { ...all.forgecroft, planVersion: run.planVersion === 0 ? null : run.planVersion },
        };
      }),
    }),
    events: t.field({
      type: RunEventConnectionRef,
      description: "Every change so far, oldest first.",
      args: pageArgs(),
      resolve: (run, args, context) => readEvents(context, run.id, args),
    }),
    log: t.field({
      type: LogLineConnectionRef,
      description: `The log of all phases. At most ${LIMITS.logPageSize} lines a page; \`last\` alone gives the tail.`,
      extensions: NEEDS_ONLY_ID,
      args: logArgs(),
      resolve: (run, args, context) => readLog(context, run.id, null, args),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When a runner first had it.",
    }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true, description: "When it ended." }),
    appliedAt: t.field({
      ...ofWholeRun(({ appliedAt }) => appliedAt),
      type: "DateTime",
      nullable: true,
      description: "When the changes were applied.",
    }),
  }),
});

builder.queryField("run", (t) =>
  t.field({
    type: RunRef,
    nullable: true,
    description: "The run with this id.",
    extensions: FINDS_BY_ID,
    args: { id: t.arg.id({ required: true, description: "Its id." }) },
    resolve: (_root, { id }, { loaders }) => loaders.run.load(id),
  }),
);
