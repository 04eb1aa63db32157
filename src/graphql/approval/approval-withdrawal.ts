import { answer } from "../kit/answer.ts";
import { GateEnum } from "./approval.ts";
import { builder } from "../kit/builder.ts";
import { runSuccess } from "../run/run-success.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";

const WITHDRAWAL_ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError", "RunStateConflictError"] as const;

const WithdrawApprovalInputRef = builder.inputType("WithdrawApprovalInput", {
  description: "The caller's own approvals of one gate.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits at the gate, or for a runner." }),
    gate: t.field({
      type: GateEnum,
      required: true,
      description: "The gate that it waits at or, once all is approved, the last one that it passed.",
    }),
    comment: t.string({ description: "Why, for those who read about it later." }),
  }),
});
const WithdrawApprovalSuccessRef = runSuccess("WithdrawApprovalSuccess", "The approval no longer counts.");
const WithdrawApprovalResultRef = builder.unionType("WithdrawApprovalResult", {
  description: "What came of `withdrawApproval`.",
  types: [
    WithdrawApprovalSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    RunStateConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});

builder.mutationField("withdrawApproval", (t) =>
  t.field({
    type: WithdrawApprovalResultRef,
    description:
      "Takes back what the caller approved at a gate, of all its stages: while the run waits there, and of the last gate until a runner has the run. A CONFIRMED run that misses an approval then returns to its gate. A RunStateConflictError if nothing of the caller counts there, or the run has gone on.",
    args: { input: t.arg({ type: WithdrawApprovalInputRef, required: true, description: "Which approval, and why." }) },
    resolve: (_root, { input }, context) =>
      answer(context, WITHDRAWAL_ERRORS, async () => ({
        type: "WithdrawApprovalSuccess" as const,
        run: await context.domain.withdrawApproval(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);
