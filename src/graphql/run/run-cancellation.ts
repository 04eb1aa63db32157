import { runSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";

mutation("cancelRun", {
  description:
    "Cancels a run that waits, discards a run that awaits approval, or stops a run that executes. An apply is stopped only if the workspace has `interruptApply`.",
  argument: "The run to cancel, and how.",
  input: {
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
  },
  success: runSuccess(
    "The request was accepted. A run that executes ends STOPPED when its runner acknowledges; until then `run.cancelRequested` is set.",
  ),
  run: ({ cancelRun }, caller, { input }) => cancelRun(caller, { ...input, comment: input.comment ?? null }),
});
