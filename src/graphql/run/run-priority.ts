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
  description: "The new priority of a waiting run.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run; it must wait for its workspace or for a runner." }),
    priority: t.int({
      required: true,
      description: `The priority, from -${LIMITS.priority} to ${LIMITS.priority}; higher goes first among the runs of its class: applies, plans, speculative plans.`,
    }),
  }),
});
const PrioritizeRunSuccessRef = runSuccess("PrioritizeRunSuccess", "The run has the new priority.");
const PrioritizeRunResultRef = builder.unionType("PrioritizeRunResult", {
  description: "The result of `prioritizeRun`.",
  types: [PrioritizeRunSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, RunStateConflictErrorRef],
  resolveType: ({ type }) => type,
});
const PRIORITY_ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"] as const;

builder.mutationField("prioritizeRun", (t) =>
  t.field({
    type: PrioritizeRunResultRef,
    description: "Sets the priority of a waiting run.",
    args: {
      input: t.arg({ type: PrioritizeRunInputRef, required: true, description: "The run and its new priority." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, PRIORITY_ERRORS, async () => ({
        type: "PrioritizeRunSuccess" as const,
        run: await context.domain.prioritizeRun(context.caller, input),
      })),
  }),
);
