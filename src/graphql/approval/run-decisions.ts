/** What people decide at the gates of a run: approve, reject, discard, replan. */
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

const COMMENT = "Why, for those who read about it later.";
const DECIDED_PLAN = "The version of the plan that was read; another current one is a StalePlanError.";

const ApproveRunInputRef = builder.inputType("ApproveRunInput", {
  description: "An approval of exactly one plan at one gate.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits." }),
    gate: t.field({
      type: GateEnum,
      required: true,
      description: "The gate that it waits at: PLAN first, then APPLY.",
    }),
    planVersion: t.int({ required: true, description: DECIDED_PLAN }),
    comment: t.string({ description: `${COMMENT} An approval rule may require it.` }),
    stage: t.string({
      description:
        "The stage of the gate that is meant, by name; absent: the one whose turn it is. Who approved one stage of a gate names the next one.",
    }),
    applyAt: t.field({
      type: "DateTime",
      description:
        "Only at the gate APPLY: the apply begins then at the earliest. Of several approvers who say so, the last one is heeded.",
    }),
  }),
});
const ApproveRunSuccessRef = runSuccess(
  "ApproveRunSuccess",
  "The approval is recorded; the run goes on once enough people approved.",
);
const ApproveRunResultRef = builder.unionType("ApproveRunResult", {
  description: "What came of `approveRun`.",
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
  description: "A no at the plan gate.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits at its plan gate." }),
    planVersion: t.int({ required: true, description: DECIDED_PLAN }),
    comment: t.string({ description: COMMENT }),
  }),
});
const RejectRunSuccessRef = runSuccess("RejectRunSuccess", "The run has ended REJECTED.");
const RejectRunResultRef = builder.unionType("RejectRunResult", {
  description: "What came of `rejectRun`.",
  types: [RejectRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("rejectRun", (t) =>
  t.field({
    type: RejectRunResultRef,
    description: "A no at the plan gate: the run ends REJECTED.",
    args: { input: t.arg({ type: RejectRunInputRef, required: true, description: "The rejection." }) },
    resolve: (_root, { input }, context) =>
      answer(context, DECISION_ERRORS, async () => ({
        type: "RejectRunSuccess" as const,
        run: await context.domain.rejectRun(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);

const DiscardRunInputRef = builder.inputType("DiscardRunInput", {
  description: "A plan that is not wanted.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits at either gate." }),
    planVersion: t.int({ description: "If given, another current plan is a StalePlanError." }),
    comment: t.string({ description: COMMENT }),
  }),
});
const DiscardRunSuccessRef = runSuccess("DiscardRunSuccess", "The run has ended DISCARDED.");
const DiscardRunResultRef = builder.unionType("DiscardRunResult", {
  description: "What came of `discardRun`.",
  types: [DiscardRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("discardRun", (t) =>
  t.field({
    type: DiscardRunResultRef,
    description: "The plan is not wanted: the run ends DISCARDED, at either gate.",
    args: { input: t.arg({ type: DiscardRunInputRef, required: true, description: "Which run, and why." }) },
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
  description:
    "Absent `targets`: the run's own; []: the whole configuration. Targets bring what they depend on (the engine's -target).",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits at either gate." }),
    planVersion: t.int({ required: true, description: "The plan that the picks were made from." }),
    targets: t.stringList({
      description:
        "The resources, instances or modules to limit the new plan to. One that matches nothing is refused; if only the engine can tell, the run comes back to its gate with the plan that it has.",
    }),
    replace: t.stringList({ description: "The resource addresses to make anew; absent: the run's own; []: none." }),
    comment: t.string({ description: COMMENT }),
  }),
});
const ReplanRunSuccessRef = runSuccess("ReplanRunSuccess", "Another plan was asked for; earlier approvals are void.");
const ReplanRunResultRef = builder.unionType("ReplanRunResult", {
  description: "What came of `replanRun`.",
  types: [ReplanRunSuccessRef, ...DECISION_ERROR_REFS],
  resolveType: ({ type }) => type,
});

builder.mutationField("replanRun", (t) =>
  t.field({
    type: ReplanRunResultRef,
    description: "Plans again, in place, optionally for the picked resources and what they depend on.",
    args: { input: t.arg({ type: ReplanRunInputRef, required: true, description: "What to plan." }) },
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
