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
  description: "The run to cancel.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description:
        "Whether to fence the runner instead of asking it to stop. Only admins may, from 60 seconds (or the workspace's `forceStopAfterSeconds`) after the first request to stop.",
    }),
    comment: t.string({ description: "The reason, for later readers." }),
  }),
});

const CancelRunSuccessRef = runSuccess(
  "CancelRunSuccess",
  "The request was accepted. A run that executes ends STOPPED when its runner acknowledges; until then `run.cancelRequested` is true.",
);

const CancelRunResultRef = builder.unionType("CancelRunResult", {
  description: "The result of `cancelRun`.",
  types: [CancelRunSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, RunStateConflictErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("cancelRun", (t) =>
  t.field({
    type: CancelRunResultRef,
    description:
      "Cancels a run that waits, discards a run that awaits approval, or stops a run that executes. An apply is stopped only if the workspace has `interruptApply`.",
    args: { input: t.arg({ type: CancelRunInputRef, required: true, description: "The run to cancel, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "CancelRunSuccess" as const,
        run: await context.domain.cancelRun(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);
