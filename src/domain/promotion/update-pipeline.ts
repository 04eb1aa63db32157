import type { ActorCaller } from "../../model/people/permission.ts";
import type { PromotionPipeline, PromotionStage } from "../../model/promotion/promotion.ts";
import { updatePipelineRow } from "../../persistence/promotion/pipeline-store.ts";
import { setPromotionsDue } from "../../persistence/promotion/promotion-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { storedStage } from "./create-pipeline.ts";
import { commandPipeline, pipelineNameTaken } from "./pipeline-command.ts";
import { checkPipeline, type PipelineSettings } from "./pipeline-input.ts";

/** Absent fields stay unchanged; `null` is invalid. */
export interface UpdatePipelineInput {
  pipelineId: string;
  name?: string | null | undefined;
  /** Replaces all stages. */
  stages?: readonly PromotionStage[] | null | undefined;
}

/**
 * Changes a pipeline. The caller becomes its owner. What soaks, or could not be promoted, is considered again by the new
 * settings.
 */
export function updatePromotionPipeline(
  deps: Deps,
  caller: ActorCaller,
  input: UpdatePipelineInput,
): Promise<PromotionPipeline> {
  const { pipelineId } = input;
  const spec = {
    name: "updatePromotionPipeline",
    pipelineId,
    words: "changing pipelines",
    check: (check: InputCheck, before: PromotionPipeline) => {
      for (const field of ["name", "stages"] as const) {
        check.require(input[field] !== null, field, "cannot be cleared.");
      }
      checkPipeline(check, settingsAfter(before, input));
    },
  };
  return commandPipeline(deps, caller, spec, async (tx, before) => {
    await requireLastingCredential(deps, caller, "change pipelines");
    const { name, stages } = settingsAfter(before, input);
    const after = { ...before, name, stages: stages.map(storedStage), ownerId: caller.actor.id };
    await updatePipelineRow(tx, after);
    await setPromotionsDue(tx, pipelineId, deps.clock().toISOString());
    tx.announce("changesets");
    return after;
  }).catch((error: unknown) => {
    throw pipelineNameTaken(error, input.name ?? "");
  });
}

function settingsAfter(before: PromotionPipeline, { name, stages }: UpdatePipelineInput): PipelineSettings {
  return { name: name ?? before.name, stages: stages ?? before.stages };
}
