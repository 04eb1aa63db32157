import { LIMITS } from "../../model/kit/limits.ts";
import { builder, type InputFields } from "../kit/builder.ts";
import { RunnerPoolRef, WorkspaceRef, runnerPoolLoader } from "../kit/refs.ts";

/** Builds the fields of an input by which a workspace chooses its runners. */
export const runnerChoiceInput = (t: InputFields) => ({
  runnerPoolId: t.id({
    description:
      "The only pool whose runners take its runs. Null means shared runners and pools that are not reserved. Only admins may change it, because the choice of runners decides which credentials the runs get.",
  }),
  runnerLabels: t.stringList({
    description: `The labels that a runner must have to take its runs, at most ${LIMITS.runnerLabels}. Only admins may change them.`,
  }),
});

builder.objectField(WorkspaceRef, "runnerPool", (t) =>
  t.field({
    type: RunnerPoolRef,
    nullable: true,
    description:
      "The only pool whose runners take its runs. `null` if shared runners and pools that are not reserved take them.",
    resolve: ({ runnerPoolId }, _args, { loaders }) =>
      runnerPoolId === null ? null : loaders.load(runnerPoolLoader, runnerPoolId),
  }),
);

builder.objectField(WorkspaceRef, "runnerLabels", (t) =>
  t.stringList({
    description: "The labels that a runner must have to take its runs.",
    resolve: ({ runnerLabels }) => runnerLabels,
  }),
);
