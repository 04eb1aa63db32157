import { ChangesetRef, changesetLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { runCauseRef } from "../run/run-cause.ts";
import { pipelineLoader, PipelineRef } from "./pipeline.ts";

runCauseRef("PROMOTION", "PromotionCause").implement({
  description: "A commit that the stage before has applied was promoted.",
  fields: (t) => ({
    from: t.field({
      type: ChangesetRef,
      nullable: true,
      description: "The changeset of the stage before. `null` if the caller may see none of its runs.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ changesetId }, _args, { loaders }) => loaders.load(changesetLoader, changesetId),
    }),
    pipeline: t.field({
      type: PipelineRef,
      nullable: true,
      description: "The pipeline. `null` if it was deleted, or the caller may not read it.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ pipelineId }, _args, { loaders }) => loaders.load(pipelineLoader, pipelineId),
    }),
    stage: t.exposeString("stage", { description: "The name of the stage that got the commit." }),
    commit: t.exposeString("commit", { description: "The commit." }),
  }),
});
