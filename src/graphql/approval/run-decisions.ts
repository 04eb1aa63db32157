/** The commands of people at the gates of a run: approve, reject, discard, replan. */
import { answer } from "../kit/answer.ts";
import { GateEnum } from "./approval.ts";
import { builder } from "../kit/builder.ts";
import { runSuccess } from "../run/run-success.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
  StalePlanErrorRef,
} from "../kit/user-error.ts";

const DECISION_ERRORS = [
  "InvalidInputError",
  "NotFoundError",
  "ForbiddenError",
  "RunStateConflictError",
  "StalePlanError",
] as const;
const DECISION_ERROR_REFS = [
  InvalidInputErrorRef,
  NotFoundErrorRef,
  ForbiddenErrorRef,
  RunStateConflictErrorRef,
  StalePlanErrorRef,
];

const COMMENT = "The reason, for later readers.";
const DECIDED_PLAN = "The version of the plan that was read. It is a StalePlanError if another plan is current.";

const ApproveRunInputRef = builder.inputType("ApproveRunInput", {
  description: "The approval of exactly one plan at one gate.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits." }),
    gate: t.field({
      type: GateEnum,
      required: true,
      description: "The gate at which the run waits: PLAN first, then APPLY.",
    }),
    planVersion: t.int({ required: true, description: DECIDED_PLAN }),
    comment: t.string({ description: `${COMMENT} An approval rule may require it.` }),
    stage: t.string({
      description:
        "The name of the stage. The default is the current stage. A person who approved one stage of the gate must name the next one.",
    }),
    applyAt: t.field({
      type: "DateTime",
      description:
        "The earliest start of the apply, only at the gate APPLY. If several approvers set it, the last one counts.",
    }),
  }),
});
const ApproveRunSuccessRef = runSuccess(
  "ApproveRunSuccess",
  "The approval was recorded. The run continues once enough people approved.",
);
const ApproveRunResultRef = builder.unionType("ApproveRunResult", {
  description: "The result of `approveRun`.",
  types: [ApproveRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("approveRun", (t) =>
  t.field({
    type: ApproveRunResultRef,
    description: "Approves one gate of the named plan: PLAN first, then APPLY.",
    args: { input: t.arg({ type: ApproveRunInputRef, required: true, description: "The approval." }) },
    resolve: (_root, { input }, context) =>
      answer(context, DECISION_ERRORS, async () => ({
        type: "ApproveRunSuccess" as const,
        run: await context.domain.approveRun(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);

const RejectRunInputRef = builder.inputType("RejectRunInput", {
  description: "The rejection of a plan at the plan gate.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits at its plan gate." }),
    planVersion: t.int({ required: true, description: DECIDED_PLAN }),
    comment: t.string({ description: COMMENT }),
  }),
});
const RejectRunSuccessRef = runSuccess("RejectRunSuccess", "The run has ended REJECTED.");
const RejectRunResultRef = builder.unionType("RejectRunResult", {
  description: "The result of `rejectRun`.",
  types: [RejectRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("rejectRun", (t) =>
  t.field({
    type: RejectRunResultRef,
    description: "Rejects the plan at the plan gate. The run ends REJECTED.",
    args: { input: t.arg({ type: RejectRunInputRef, required: true, description: "The rejection." }) },
    resolve: (_root, { input }, context) =>
      answer(context, DECISION_ERRORS, async () => ({
        type: "RejectRunSuccess" as const,
        run: await context.domain.rejectRun(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);

const DiscardRunInputRef = builder.inputType("DiscardRunInput", {
  description: "The run whose plan to discard.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run, which waits at one of its gates." }),
    planVersion: t.int({
      description:
        "The version of the plan that was read. If given, it is a StalePlanError if another plan is current.",
    }),
    comment: t.string({ description: COMMENT }),
  }),
});
const DiscardRunSuccessRef = runSuccess("DiscardRunSuccess", "The run has ended DISCARDED.");
const DiscardRunResultRef = builder.unionType("DiscardRunResult", {
  description: "The result of `discardRun`.",
  types: [DiscardRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("discardRun", (t) =>
  t.field({
    type: DiscardRunResultRef,
    description: "Discards the plan at either gate. The run ends DISCARDED.",
    args: {
      input: t.arg({ type: DiscardRunInputRef, required: true, description: "The run to discard, and the reason." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, DECISION_ERRORS, async () => ({
        type: "DiscardRunSuccess" as const,
        run: await context.domain.discardRun(context.caller, {
          runId: input.runId,
          planVersion: input.planVersion ?? null,
          comment: input.comment ?? null,
        }),
      })),
  }),
);

const ReplanRunInputRef = builder.inputType("ReplanRunInput", {
  description: "The run to plan again, and the resources to limit the plan to.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run, which waits at one of its gates." }),
    planVersion: t.int({
      required: true,
      description:
        "The version of the plan that the targets were chosen from. It is a StalePlanError if another plan is current.",
    }),
    targets: t.stringList({
      description:
        "The resources, instances or modules to limit the new plan to, with their dependencies (the engine's `-target`). The default is the run's own; [] means the whole configuration. A target that matches nothing is refused. If only the engine can detect that, the run returns to its gate with its old plan.",
    }),
    replace: t.stringList({
      description:
        "The addresses of resource instances to replace. The default is the run's own; [] means none. An address that matches nothing is refused, as a target is.",
    }),
    comment: t.string({ description: COMMENT }),
  }),
});
const ReplanRunSuccessRef = runSuccess(
  "ReplanRunSuccess",
  "Another plan was requested. Earlier approvals no longer count.",
);
const ReplanRunResultRef = builder.unionType("ReplanRunResult", {
  description: "The result of `replanRun`.",
  types: [ReplanRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("replanRun", (t) =>
  t.field({
    type: ReplanRunResultRef,
    description: "Plans again within the run, optionally limited to some resources and their dependencies.",
    args: { input: t.arg({ type: ReplanRunInputRef, required: true, description: "The run to plan again, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, DECISION_ERRORS, async () => ({
        type: "ReplanRunSuccess" as const,
        run: await context.domain.replanRun(context.caller, {
          runId: input.runId,
          planVersion: input.planVersion,
          targets: input.targets ?? null,
          replace: input.replace ?? null,
          comment: input.comment ?? null,
        }),
      })),
  }),
);
