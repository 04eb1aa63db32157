import { runLoader, RunRef } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { runCauseRef } from "../run/run-cause.ts";

runCauseRef("DEPENDENCY", "DependencyCause").implement({
  description: "A workspace upstream was applied.",
  fields: (t) => ({
    upstream: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that was applied. `null` if the caller may not read it.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ upstreamRunId }, _args, { loaders }) => loaders.load(runLoader, upstreamRunId),
    }),
    changedOutputs: t.exposeStringList("changedOutputs", {
      description: "The names of the referenced outputs whose values are others than before.",
    }),
  }),
});
