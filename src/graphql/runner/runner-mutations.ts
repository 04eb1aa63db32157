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

/** The success of a command about a runner: the runner as it is afterwards. */
function runnerSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; runner: Runner }>(name).implement({
    description,
    fields: (t) => ({
      runner: t.field({ type: RunnerRef, description: "The runner.", resolve: ({ runner }) => runner }),
    }),
  });
}

const DrainRunnerInputRef = builder.inputType("DrainRunnerInput", {
  description: "A runner that is to take no new work.",
  fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
});
const DrainRunnerSuccessRef = runnerSuccess("DrainRunnerSuccess", "The runner gets no new work.");
const DrainRunnerResultRef = builder.unionType("DrainRunnerResult", {
  description: "What came of `drainRunner`.",
  types: [DrainRunnerSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("drainRunner", (t) =>
  t.field({
    type: DrainRunnerResultRef,
    description: "Keeps a runner from new work until it is resumed; what it has it finishes.",
    args: { input: t.arg({ type: DrainRunnerInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "DrainRunnerSuccess" as const,
        runner: await context.domain.drainRunner(context.caller, input),
      })),
  }),
);

const ResumeRunnerInputRef = builder.inputType("ResumeRunnerInput", {
  description: "A runner that is to take work again.",
  fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
});
const ResumeRunnerSuccessRef = runnerSuccess("ResumeRunnerSuccess", "The runner gets work again.");
const ResumeRunnerResultRef = builder.unionType("ResumeRunnerResult", {
  description: "What came of `resumeRunner`.",
  types: [ResumeRunnerSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("resumeRunner", (t) =>
  t.field({
    type: ResumeRunnerResultRef,
    description: "Lets a runner that was drained, cycled or revoked have work again.",
    args: { input: t.arg({ type: ResumeRunnerInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "ResumeRunnerSuccess" as const,
        runner: await context.domain.resumeRunner(context.caller, input),
      })),
  }),
);

const CycleRunnerInputRef = builder.inputType("CycleRunnerInput", {
  description: "A runner that is to begin anew.",
  fields: (t) => ({ runnerId: t.id({ required: true, description: "The runner." }) }),
});
const CycleRunnerSuccessRef = runnerSuccess("CycleRunnerSuccess", "Its process ends when its work is done.");
const CycleRunnerResultRef = builder.unionType("CycleRunnerResult", {
  description: "What came of `cycleRunner`.",
  types: [CycleRunnerSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("cycleRunner", (t) =>
  t.field({
    type: CycleRunnerResultRef,
    description:
      "Lets the process of a runner finish its work and end with exit code 0, so that whatever keeps it up starts it anew.",
    args: { input: t.arg({ type: CycleRunnerInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError"], async () => ({
        type: "CycleRunnerSuccess" as const,
        runner: await context.domain.cycleRunner(context.caller, input),
      })),
  }),
);

const RevokeRunnerInputRef = builder.inputType("RevokeRunnerInput", {
  description: "A runner that is to be let in no more.",
  fields: (t) => ({
    runnerId: t.id({ required: true, description: "The runner." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description: "Also while it applies: nobody knows then how far it got, and the workspace is locked.",
    }),
  }),
});
const RevokeRunnerSuccessRef = runnerSuccess("RevokeRunnerSuccess", "The runner is let in no more.");
const RevokeRunnerResultRef = builder.unionType("RevokeRunnerResult", {
  description: "What came of `revokeRunner`.",
  types: [RevokeRunnerSuccessRef, NotFoundErrorRef, ForbiddenErrorRef, RunStateConflictErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("revokeRunner", (t) =>
  t.field({
    type: RevokeRunnerResultRef,
    description:
      "Lets a runner in no more under its name, and takes its work from it at once: plans go to another one. Whoever has its token may come under another name: revoke the token as well.",
    args: { input: t.arg({ type: RevokeRunnerInputRef, required: true, description: "Which one, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError", "RunStateConflictError"], async () => ({
        type: "RevokeRunnerSuccess" as const,
        runner: await context.domain.revokeRunner(context.caller, input),
      })),
  }),
);
