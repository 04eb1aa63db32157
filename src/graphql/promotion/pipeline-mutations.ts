import { LIMITS } from "../../model/kit/limits.ts";
import type { PromotionPipeline } from "../../model/promotion/promotion.ts";
import { builder } from "../kit/builder.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { deletedSuccess } from "../kit/success.ts";
import { PipelineRef, STAGE_WORDS } from "./pipeline.ts";

const StageInputRef = builder.inputType("PromotionStageInput", {
  description: "A stage of a pipeline.",
  fields: (t) => ({
    name: t.string({ required: true, description: STAGE_WORDS.name }),
    label: t.string({ required: true, description: STAGE_WORDS.label }),
    automatic: t.boolean({
      required: true,
      defaultValue: false,
      description: `${STAGE_WORDS.automatic} False for the first stage.`,
    }),
    soakMinutes: t.int({
      required: true,
      defaultValue: 0,
      description: `${STAGE_WORDS.soakMinutes} At most ${LIMITS.soakMinutes}; 0 for the first stage.`,
    }),
  }),
});

const STAGES = `The stages, in order: from 2 to ${LIMITS.stagesPerPipeline}. Their names differ, and no label selects what another one selects.`;

/** Builds the success type of a command on a pipeline, with the pipeline after the command. */
function pipelineSuccess(description: string): Success<PromotionPipeline> {
  return {
    description,
    fields: (t) => ({
      pipeline: t.field({ type: PipelineRef, description: "The pipeline.", resolve: ({ value }) => value }),
    }),
  };
}

mutation("createPromotionPipeline", {
  description:
    "Creates a pipeline. The caller becomes its owner, under whose rights it promotes automatically. It takes the permission to create runs in the whole organization.",
  argument: "The pipeline.",
  input: {
    description: "The pipeline to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the pipeline." }),
      name: t.string({ required: true, description: "The name, which is unique in the organization." }),
      stages: t.field({ type: [StageInputRef], required: true, description: STAGES }),
    }),
  },
  success: pipelineSuccess("The pipeline was created."),
  run: ({ createPromotionPipeline }, caller, { input }) => createPromotionPipeline(caller, input),
});

mutation("updatePromotionPipeline", {
  description:
    "Changes a pipeline. The caller becomes its owner. What soaks, or could not be promoted, is considered again by the new settings.",
  argument: "The pipeline and its changes.",
  input: {
    description: "The changes to a pipeline. An absent field is not changed; null is invalid.",
    fields: (t) => ({
      pipelineId: t.id({ required: true, description: "The pipeline to change." }),
      name: t.string({ description: "The name." }),
      stages: t.field({ type: [StageInputRef], description: `${STAGES} They replace all that there are.` }),
    }),
  },
  success: pipelineSuccess("The pipeline was changed."),
  run: ({ updatePromotionPipeline }, caller, { input }) => updatePromotionPipeline(caller, input),
});

mutation("deletePromotionPipeline", {
  description: "Deletes a pipeline. What soaks is not promoted; runs stay.",
  argument: "The pipeline to delete.",
  input: {
    description: "The pipeline to delete.",
    fields: (t) => ({ pipelineId: t.id({ required: true, description: "The pipeline." }) }),
  },
  success: deletedSuccess("The pipeline is deleted.", "The id of the pipeline."),
  run: ({ deletePromotionPipeline }, caller, { input }) => deletePromotionPipeline(caller, input),
});
