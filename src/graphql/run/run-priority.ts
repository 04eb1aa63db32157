import { LIMITS } from "../../model/kit/limits.ts";
import { runSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";

mutation("prioritizeRun", {
  description: "Sets the priority of a waiting run.",
  argument: "The run and its new priority.",
  input: {
    description: "The new priority of a waiting run.",
    fields: (t) => ({
      runId: t.id({ required: true, description: "The run; it must wait for its workspace or for a runner." }),
      priority: t.int({
        required: true,
        description: `The priority, from -${LIMITS.priority} to ${LIMITS.priority}; higher goes first among the runs of its class: applies, plans, speculative plans.`,
      }),
    }),
  },
  success: runSuccess("The run has the new priority."),
  run: ({ prioritizeRun }, caller, { input }) => prioritizeRun(caller, input),
});
