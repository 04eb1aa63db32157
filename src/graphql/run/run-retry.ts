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
  description: "A run that is to be done again.",
  fields: (t) => ({ runId: t.id({ required: true, description: "The run; it must have ended, in whatever way." }) }),
});
const RetryRunSuccessRef = runSuccess("RetryRunSuccess", "The new run exists; its `origin` is the old one.");
const RetryRunResultRef = builder.unionType("RetryRunResult", {
  description: "What came of `retryRun`.",
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
      "A new run of the same revision and options, with the variables as they are now. An APPLY, and a rollback, keeps its variables.",
    args: { input: t.arg({ type: RetryRunInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, RETRY_ERRORS, async () => ({
        type: "RetryRunSuccess" as const,
        run: await context.domain.retryRun(context.caller, input),
      })),
  }),
);
