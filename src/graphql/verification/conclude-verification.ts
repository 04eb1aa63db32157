import type { Judgement } from "../../domain/verification/conclude-verification.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { mutation } from "../kit/mutation.ts";
import { runSuccess } from "../kit/success.ts";

const JudgementEnum = describedEnum<Judgement>("VerificationJudgement", "The judgement of a person about an apply.", {
  GOOD: "The applied configuration works: the run ends FINISHED.",
  BAD: "The applied configuration does not work: the run ends FAILED, and the workspace may go back.",
});

mutation("concludeVerification", {
  description: "Ends the verification of an apply by a judgement, also before its probes have a result.",
  argument: "The judgement.",
  input: {
    description: "The judgement about the result of an apply.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run, which is VERIFYING." }),
      judgement: t.field({ type: JudgementEnum, required: true, description: "The judgement." }),
      comment: t.string({ required: true, description: "The reason, for later readers." }),
    }),
  },
  success: runSuccess("The verification ended."),
  run: ({ concludeVerification }, caller, { input }) => concludeVerification(caller, input),
});
