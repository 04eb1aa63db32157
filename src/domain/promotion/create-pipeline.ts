import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { organizationPlace } from "../../model/people/place.ts";
import type { PromotionPipeline } from "../../model/promotion/promotion.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { countPipelines, insertPipeline } from "../../persistence/promotion/pipeline-store.ts";
import { command } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { lookUpOrganization } from "../organization/look-up-organization.ts";
import { requireLastingCredential } from "../sign-in/owner-caller.ts";
import { pipelineNameTaken } from "./pipeline-command.ts";
import { checkPipeline, type PipelineSettings } from "./pipeline-input.ts";

export interface CreatePipelineInput extends PipelineSettings {
  organizationId: string;
}

/** Creates a pipeline. The caller becomes its owner, under whose rights it promotes automatically. */
export function createPromotionPipeline(
  deps: Deps,
  caller: ActorCaller,
  { organizationId, name, stages }: CreatePipelineInput,
): Promise<PromotionPipeline> {
  const spec = {
    name: "createPromotionPipeline",
    subjectId: organizationId,
    noun: "organization",
    find: (tx: Transaction) => lookUpOrganization(tx, organizationId),
    placeOf: (organization: Organization) => organizationPlace(organization),
    sight: "ORGANIZATION_READ",
    permission: "RUN_DEPLOY",
    words: "creating pipelines",
    check: (check: InputCheck) => checkPipeline(check, { name, stages }),
  } as const;
  return command(deps, caller, spec, async (tx) => {
    await requireLastingCredential(deps, caller, "create pipelines");
    // Concurrent requests may exceed the limit, which only bounds a runaway script.
    if ((await countPipelines(tx, organizationId)) >= LIMITS.pipelinesPerOrganization) {
      const message = `has ${LIMITS.pipelinesPerOrganization} pipelines, which is the limit. Delete one first.`;
      throw invalidField("organizationId", message);
    }
    const pipeline: PromotionPipeline = {
      id: deps.newId("promotionPipeline"),
      organizationId,
      name,
      stages: stages.map(storedStage),
      ownerId: caller.actor.id,
      createdAt: deps.clock().toISOString(),
    };
    await insertPipeline(tx, pipeline);
    return pipeline;
  }).catch((error: unknown) => {
    throw pipelineNameTaken(error, name);
  });
}

/** Without what an input type may carry besides. */
export function storedStage({ name, label, automatic, soakMinutes }: PromotionPipeline["stages"][number]) {
  return { name, label, automatic, soakMinutes };
}
