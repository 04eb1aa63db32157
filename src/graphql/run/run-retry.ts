import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { runSuccess } from "./run-success.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
  StalePlanErrorRef,
} from "../kit/user-error.ts";

const RetryRunInputRef = builder.inputType("RetryRunInput", {
  description: "The run to retry.",
  fields: (t) => ({ runId: t.id({ required: true, description: "The run. Its status must be terminal." }) }),
});
const RetryRunSuccessRef = runSuccess("RetryRunSuccess", "The new run was created; its `origin` is the old run.");
const RetryRunResultRef = builder.unionType("RetryRunResult", {
  description: "The result of `retryRun`.",
  types: [
    RetryRunSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    RunStateConflictErrorRef,
    StalePlanErrorRef,
  ],
  resolveType: ({ type }) => type,
});
const RETRY_ERRORS = [
  "InvalidInputError",
  "NotFoundError",
  "ForbiddenError",
  "RunStateConflictError",
  "StalePlanError",
] as const;

builder.mutationField("retryRun", (t) =>
  t.field({
    type: RetryRunResultRef,
    description:
      "Creates a run with the same revision and options, and the variables as they are now. A retry of an APPLY or of a rollback keeps its variables.",
    args: { input: t.arg({ type: RetryRunInputRef, required: true, description: "The run to retry." }) },
    resolve: (_root, { input }, context) =>
      answer(context, RETRY_ERRORS, async () => ({
        type: "RetryRunSuccess" as const,
        run: await context.domain.retryRun(context.caller, input),
      })),
  }),
);
