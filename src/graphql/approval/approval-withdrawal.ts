import { runSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { GateEnum } from "./approval.ts";

mutation("withdrawApproval", {
  description:
    "Withdraws the caller's approvals and overrides at all stages of a gate, while the run waits there and, at the last gate, until a runner claims the run. Overrides are also withdrawn while the run waits at its apply gate, and so are those of earlier plans that hold for this one. A run that then lacks a decision returns to the gate. It is a RunStateConflictError if no decision of the caller counts there, or it is too late.",
  argument: "The approvals to withdraw, and the reason.",
  input: {
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
  },
  success: runSuccess("The approval no longer counts."),
  run: ({ withdrawApproval }, caller, { input }) =>
    withdrawApproval(caller, { ...input, comment: input.comment ?? null }),
});
