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
  description: "The caller's approvals to withdraw: all of one gate.",
  fields: (t) => ({
    runId: t.id({ required: true, description: "The run that waits at the gate, or for a runner." }),
    gate: t.field({
      type: GateEnum,
      required: true,
      description: "The gate at which the run waits or, once all is approved, the last gate that it passed.",
    }),
    comment: t.string({ description: "The reason, for later readers." }),
  }),
});
const WithdrawApprovalSuccessRef = runSuccess("WithdrawApprovalSuccess", "The approval no longer counts.");
const WithdrawApprovalResultRef = builder.unionType("WithdrawApprovalResult", {
  description: "The result of `withdrawApproval`.",
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
      "Withdraws the caller's approvals at all stages of a gate, while the run waits there and, at the last gate, until a runner claims the run. A CONFIRMED run that then lacks an approval returns to its gate. It is a RunStateConflictError if no approval of the caller counts there, or it is too late.",
    args: {
      input: t.arg({
        type: WithdrawApprovalInputRef,
        required: true,
        description: "The approvals to withdraw, and the reason.",
      }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, WITHDRAWAL_ERRORS, async () => ({
        type: "WithdrawApprovalSuccess" as const,
        run: await context.domain.withdrawApproval(context.caller, { ...input, comment: input.comment ?? null }),
      })),
  }),
);
