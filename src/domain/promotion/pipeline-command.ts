/** The template of commands about a pipeline. */
import { idKind } from "../../model/kit/id.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { PromotionPipeline } from "../../model/promotion/promotion.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import { lockPipeline } from "../../persistence/promotion/pipeline-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";

interface PipelineCommandSpec {
  name: string;
  pipelineId: string;
  words: string;
  check?: (input: InputCheck, pipeline: PromotionPipeline) => void;
}

/** Runs a command about a pipeline, under the lock of its row. It takes RUN_DEPLOY in the whole organization. */
export function commandPipeline<T>(
  deps: Deps,
  caller: ActorCaller,
  { pipelineId, ...spec }: PipelineCommandSpec,
  work: (tx: Transaction, pipeline: PromotionPipeline) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      ...spec,
      subjectId: pipelineId,
      noun: "pipeline",
      find: async (tx: Transaction) => findLocked(tx, pipelineId),
      placeOf: placeOfPipeline,
      sight: "RUN_READ",
      permission: "RUN_DEPLOY",
    },
    work,
  );
}

/** Locks a pipeline; `null` if there is none. */
export async function findLocked(tx: Transaction, pipelineId: string): Promise<PromotionPipeline | null> {
  return idKind(pipelineId) === "promotionPipeline" ? lockPipeline(tx, pipelineId) : null;
}

export function placeOfPipeline({ organizationId }: Pick<PromotionPipeline, "organizationId">) {
  return organizationPlace({ id: organizationId });
}

/** Converts the violation of a unique name to NAME_TAKEN; returns other errors unchanged. */
export function pipelineNameTaken(error: unknown, name: string): unknown {
  if (!violates(error, "promotion_pipeline_name")) return error;
  return new UserError("NAME_TAKEN", `The organization already has a pipeline "${name}". Choose another name.`);
}
