import type { ActorCaller } from "../../model/people/permission.ts";
import { markPipelineDeleted } from "../../persistence/promotion/pipeline-store.ts";
import { setPromotionsDue } from "../../persistence/promotion/promotion-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandPipeline } from "./pipeline-command.ts";

/** Deletes a pipeline. What soaks is not promoted; runs stay. */
export function deletePromotionPipeline(
  deps: Deps,
  caller: ActorCaller,
  { pipelineId }: { pipelineId: string },
): Promise<string> {
  const spec = { name: "deletePromotionPipeline", pipelineId, words: "deleting pipelines" };
  return commandPipeline(deps, caller, spec, async (tx) => {
    await setPromotionsDue(tx, pipelineId, null);
    await markPipelineDeleted(tx, pipelineId, deps.clock().toISOString());
    return pipelineId;
  });
}
