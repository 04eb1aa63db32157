import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { RunnerPoolRef, WorkspaceRef } from "../kit/refs.ts";

/** Descriptions of the fields by which a workspace chooses its runners. */
export const RUNNER_INPUT_WORDS = {
  runnerPoolId:
    "Only runners of this pool take its runs; null: shared runners, and those of pools that are not reserved. A right of admins: whoever chooses the runner chooses whose credentials the runs get.",
  runnerLabels: `What a runner must have all of to take its runs, at most ${LIMITS.runnerLabels}. A right of admins.`,
};

builder.objectField(WorkspaceRef, "runnerPool", (t) =>
  t.field({
    type: RunnerPoolRef,
    nullable: true,
    description: "Only its runners take the runs; null: shared runners, and those of pools that are not reserved.",
    resolve: ({ runnerPoolId }, _args, { loaders }) =>
      runnerPoolId === null ? null : loaders.runnerPool.load(runnerPoolId),
  }),
);

builder.objectField(WorkspaceRef, "runnerLabels", (t) =>
  t.stringList({
    description: "What a runner must have all of to take its runs.",
    resolve: ({ runnerLabels }) => runnerLabels,
  }),
);
