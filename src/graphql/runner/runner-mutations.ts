import type { Runner } from "../../model/runner/runner.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { RunnerRef } from "../kit/refs.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
} from "../kit/user-error.ts";

/** Builds the success type of a command on a runner, with the runner after the command. */
function runnerSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; runner: Runner }>(name).implement({
    description,
    fields: (t) => ({
      runner: t.field({ type: RunnerRef, description: "The runner.", resolve: ({ runner }) => runner }),
    }),
  });
}

const DrainRunnerInputRef = builder.inputType("DrainRunnerInput", {
  description: "The runner to drain.",
  fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
});
const DrainRunnerSuccessRef = runnerSuccess("DrainRunnerSuccess", "The runner gets no new work.");
const DrainRunnerResultRef = builder.unionType("DrainRunnerResult", {
  description: "The result of `drainRunner`.",
  types: [DrainRunnerSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("drainRunner", (t) =>
  t.field({
    type: DrainRunnerResultRef,
    description: "Stops new work for a runner until it is resumed. The runner finishes the jobs that it has.",
    args: { input: t.arg({ type: DrainRunnerInputRef, required: true, description: "The runner to drain." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "DrainRunnerSuccess" as const,
        runner: await context.domain.drainRunner(context.caller, input),
      })),
  }),
);

const ResumeRunnerInputRef = builder.inputType("ResumeRunnerInput", {
  description: "The runner to resume.",
  fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
});
const ResumeRunnerSuccessRef = runnerSuccess("ResumeRunnerSuccess", "The runner gets work again.");
const ResumeRunnerResultRef = builder.unionType("ResumeRunnerResult", {
  description: "The result of `resumeRunner`.",
  types: [ResumeRunnerSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("resumeRunner", (t) =>
  t.field({
    type: ResumeRunnerResultRef,
    description: "Allows a drained, cycled or revoked runner to take work again.",
    args: { input: t.arg({ type: ResumeRunnerInputRef, required: true, description: "The runner to resume." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "ResumeRunnerSuccess" as const,
        runner: await context.domain.resumeRunner(context.caller, input),
      })),
  }),
);

const CycleRunnerInputRef = builder.inputType("CycleRunnerInput", {
  description: "The runner to restart.",
  fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
});
const CycleRunnerSuccessRef = runnerSuccess(
  "CycleRunnerSuccess",
  "The process of the runner ends when its work is done.",
);
const CycleRunnerResultRef = builder.unionType("CycleRunnerResult", {
  description: "The result of `cycleRunner`.",
  types: [CycleRunnerSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("cycleRunner", (t) =>
  t.field({
    type: CycleRunnerResultRef,
    description: "Drains a runner and ends its process with exit code 0, so that its supervisor starts it again.",
    args: { input: t.arg({ type: CycleRunnerInputRef, required: true, description: "The runner to restart." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError"], async () => ({
        type: "CycleRunnerSuccess" as const,
        runner: await context.domain.cycleRunner(context.caller, input),
      })),
  }),
);

const RevokeRunnerInputRef = builder.inputType("RevokeRunnerInput", {
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
});
const RevokeRunnerSuccessRef = runnerSuccess("RevokeRunnerSuccess", "The runner is revoked.");
const RevokeRunnerResultRef = builder.unionType("RevokeRunnerResult", {
  description: "The result of `revokeRunner`.",
  types: [RevokeRunnerSuccessRef, NotFoundErrorRef, ForbiddenErrorRef, RunStateConflictErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("revokeRunner", (t) =>
  t.field({
    type: RevokeRunnerResultRef,
    description:
      "Refuses a runner under its name and takes its jobs from it at once; another runner gets its plans. Its token still works under another name: revoke the token as well.",
    args: {
      input: t.arg({ type: RevokeRunnerInputRef, required: true, description: "The runner to revoke, and how." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "RevokeRunnerSuccess" as const,
        runner: await context.domain.revokeRunner(context.caller, input),
      })),
  }),
);
