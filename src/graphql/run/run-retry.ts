import { runSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";

mutation("retryRun", {
  description:
    "Creates a run with the same revision and options, and the variables as they are now. A retry of an APPLY or of a rollback keeps its variables.",
  argument: "The run to retry.",
  input: {
    description: "The run to retry.",
    fields: (t) => ({ runId: t.id({ required: true, description: "The run. Its status must be terminal." }) }),
  },
  success: runSuccess("The new run was created; its `origin` is the old run."),
  run: ({ retryRun }, caller, { input }) => retryRun(caller, input),
});
