import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { runSuccess } from "./run-success.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";

const CancelRunInputRef = builder.inputType("CancelRunInput", {
  description: "A run that is to end.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description:
        "Fence the runner instead of asking it; for admins, 60 seconds (or the workspace's limit) after it was first asked, in vain or not.",
    }),
    comment: t.string({ description: "Why, for those who read about it later." }),
  }),
});

const CancelRunSuccessRef = runSuccess(
  "CancelRunSuccess",
  "Accepted. A run that executes ends STOPPED when its runner acknowledges; until then `run.cancelRequested` is set.",
);

const CancelRunResultRef = builder.unionType("CancelRunResult", {
  description: "What came of `cancelRun`.",
  types: [CancelRunSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, RunStateConflictErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("cancelRun", (t) =>
  t.field({
    type: CancelRunResultRef,
    description:
      "Cancels what waits, discards what awaits approval, stops what executes (never an apply, unless the workspace allows it).",
    args: { input: t.arg({ type: CancelRunInputRef, required: true, description: "Which run, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "CancelRunSuccess" as const,
        run: await context.domain.cancelRun(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);
