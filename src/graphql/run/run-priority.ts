import { LIMITS } from "../../model/kit/limits.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { runSuccess } from "./run-success.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";

const PrioritizeRunInputRef = builder.inputType("PrioritizeRunInput", {
  description: "A place in the queue for a run that waits.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run; it must wait for its workspace or for a runner." }),
    priority: t.int({
      required: true,
      description: `-${LIMITS.priority} to ${LIMITS.priority}; higher goes first, among applies, plans and speculative plans each.`,
    }),
  }),
});
const PrioritizeRunSuccessRef = runSuccess("PrioritizeRunSuccess", "The run has that priority.");
const PrioritizeRunResultRef = builder.unionType("PrioritizeRunResult", {
  description: "What came of `prioritizeRun`.",
  types: [PrioritizeRunSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, RunStateConflictErrorRef],
  resolveType: ({ type }) => type,
});
const PRIORITY_ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"] as const;

builder.mutationField("prioritizeRun", (t) =>
  t.field({
    type: PrioritizeRunResultRef,
    description: "Lets a waiting run go before or after others.",
    args: {
      input: t.arg({ type: PrioritizeRunInputRef, required: true, description: "Which run, and its priority." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, PRIORITY_ERRORS, async () => ({
        type: "PrioritizeRunSuccess" as const,
        run: await context.domain.prioritizeRun(context.caller, input),
      })),
  }),
);
