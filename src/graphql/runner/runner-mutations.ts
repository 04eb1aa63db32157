import type { Runner } from "../../model/runner/runner.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { RunnerRef } from "../kit/refs.ts";

/** Builds the success type of a command on a runner, with the runner after the command. */
function runnerSuccess(description: string): Success<Runner> {
  return {
    description,
    fields: (t) => ({
      runner: t.field({ type: RunnerRef, description: "The runner.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("drainRunner", {
  description: "Stops new work for a runner until it is resumed. The runner finishes the jobs that it has.",
  argument: "The runner to drain.",
  input: {
    description: "The runner to drain.",
    fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
  },
  success: runnerSuccess("The runner gets no new work."),
  run: ({ drainRunner }, caller, { input }) => drainRunner(caller, input),
});

mutation("resumeRunner", {
  description: "Allows a drained, cycled or revoked runner to take work again.",
  argument: "The runner to resume.",
  input: {
    description: "The runner to resume.",
    fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
  },
  success: runnerSuccess("The runner gets work again."),
  run: ({ resumeRunner }, caller, { input }) => resumeRunner(caller, input),
});

mutation("cycleRunner", {
  description: "Drains a runner and ends its process with exit code 0, so that its supervisor starts it again.",
  argument: "The runner to restart.",
  input: {
    description: "The runner to restart.",
    fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
  },
  success: runnerSuccess("The process of the runner ends when its work is done."),
  run: ({ cycleRunner }, caller, { input }) => cycleRunner(caller, input),
});

mutation("revokeRunner", {
  description:
    "Refuses a runner under its name and takes its jobs from it at once; another runner gets its plans. Its token still works under another name: revoke the token as well.",
  argument: "The runner to revoke, and how.",
  input: {
    description: "The runner to revoke.",
    fields: (t) => ({
      runnerId: t.id({ required: true, description: "The runner." }),
      force: t.boolean({
        required: true,
        defaultValue: false,
        description:
          "Whether to revoke the runner even while it applies. The result of the apply is then not known, and the workspace is locked.",
      }),
    }),
  },
  success: runnerSuccess("The runner is revoked."),
  run: ({ revokeRunner }, caller, { input }) => revokeRunner(caller, input),
});
