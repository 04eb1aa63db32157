import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { type PromotionPipeline, soakedAt, stepsOf } from "../../model/promotion/promotion.ts";
import { lockChangeset } from "../../persistence/changeset/changeset-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findPipelines, lockPipeline } from "../../persistence/promotion/pipeline-store.ts";
import {
  deletePromotion,
  findNewerPromotion,
  findPromotion,
  type PromotionKey,
  upsertPromotion,
} from "../../persistence/promotion/promotion-store.ts";
import type { Deps } from "../kit/deps.ts";
import { callerOfOwner } from "../sign-in/owner-caller.ts";
import { underRightsOf } from "../sign-in/rights-in-use.ts";
import { openPromotion } from "./open-promotion.ts";
import { planPromotion, type PromotionPlan } from "./plan-promotion.ts";
import { PROMOTION_DEMANDS } from "./promote-changeset.ts";

/**
 * Promotes a changeset that has soaked, under the rights that the owner of the pipeline has now. It is done once: the row of
 * the pipeline is locked. Throws RightsChanged if the owner's rights change meanwhile.
 */
export async function promoteDue(deps: Deps, key: PromotionKey): Promise<void> {
  const [pipeline = null] = await findPipelines(deps.database, [key.pipelineId]);
  // Its deletion has ended what soaks.
  if (pipeline === null) return;
  const { ownerId } = pipeline;
  const caller = await callerOfOwner(deps, { credentialId: pipeline.id, ownerId });
  const within = caller === null ? deps : underRightsOf(deps, caller);
  await within.database.transaction(async (tx) => {
    const locked = await lockPipeline(tx, key.pipelineId);
    if (locked === null || locked.ownerId !== ownerId) return;
    await consider(tx, deps, locked, caller, key);
  });
}

async function consider(
  tx: Transaction,
  deps: Deps,
  pipeline: PromotionPipeline,
  caller: ActorCaller | null,
  key: PromotionKey,
): Promise<void> {
  const now = deps.clock().toISOString();
  const promotion = await findPromotion(tx, key);
  // Another server was first, or a person.
  if (promotion === null || promotion.dueAt === null || promotion.dueAt > now) return;
  const step = stepsOf(pipeline).find(({ stage }) => stage.name === key.stage);
  const origin = await lockChangeset(tx, key.originId);
  // It is noted again when it is applied again.
  if (step === undefined || !step.stage.automatic || origin.passedAt === null) return deletePromotion(tx, key);
  const dueAt = soakedAt(origin.passedAt, step.stage);
  if (dueAt > now) return upsertPromotion(tx, { ...promotion, dueAt });
  const newer = await findNewerPromotion(tx, promotion, { isPromoted: false });
  if (newer !== null) return upsertPromotion(tx, { ...promotion, dueAt: null, supersededById: newer.originId });
  const request = { pipeline, step, origin };
  const plan = await planPromotion(tx, request);
  const problem = "field" in plan ? sentenceOf(plan.field, plan.message) : refusalOf(caller, plan);
  if (problem !== null || "field" in plan) {
    return upsertPromotion(tx, { ...promotion, dueAt: null, problem: problem?.slice(0, LIMITS.textLength) ?? null });
  }
  const createdBy = { actorId: SYSTEM_ACTOR_ID, credentialId: pipeline.id };
  await openPromotion(tx, deps, request, plan, { startsAt: null, createdBy });
}

function sentenceOf(field: "changesetId" | "stage", message: string): string {
  return `The ${field === "stage" ? "stage" : "changeset"} ${message}`;
}

/** Why the owner of the pipeline may not create the runs; `null` if it may. */
function refusalOf(caller: ActorCaller | null, { targets }: PromotionPlan): string | null {
  if (caller === null) return "The owner of the pipeline was disabled. Change the pipeline as someone else.";
  const missing = PROMOTION_DEMANDS.find(({ permission }) =>
    targets.some(({ workspace }) => !can(caller, permission, workspacePlace(workspace))),
  );
  if (missing === undefined) return null;
  return `The owner of the pipeline, ${caller.actor.name}, has not the permission ${missing.permission} in every workspace of the stage.`;
}
