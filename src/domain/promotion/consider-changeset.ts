import type { Changeset } from "../../model/changeset/changeset.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  movedCommits,
  type PromotionPipeline,
  soakedAt,
  type StageStep,
  stepsOf,
} from "../../model/promotion/promotion.ts";
import { findChangeset, lockChangeset } from "../../persistence/changeset/changeset-store.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { listAllPipelines, lockPipeline } from "../../persistence/promotion/pipeline-store.ts";
import {
  findNewerPromotion,
  findPromotion,
  listOriginMembers,
  supersedeSoaking,
  takePromotable,
  upsertPromotion,
} from "../../persistence/promotion/promotion-store.ts";
import type { Deps } from "../kit/deps.ts";
import { promotionOf } from "./open-promotion.ts";

/**
 * Notes for which stages a changeset soaks that was applied. Only automatic stages get what was pushed to a branch, or was
 * promoted from that. A changeset is considered once for each time that it is applied.
 */
export async function considerChangeset(deps: Deps, id: string): Promise<void> {
  const origin = await findChangeset(deps.database, id);
  if (origin === null) return;
  const pipelines = (await isOfBranch(deps.database, origin)) ? await pipelinesFor(deps.database, origin) : [];
  await deps.database.transaction(async (tx) => {
    // Pipelines before changesets.
    const locked: PromotionPipeline[] = [];
    for (const pipeline of pipelines) locked.push((await lockPipeline(tx, pipeline.id)) ?? { ...pipeline, stages: [] });
    // Another server was first, or it is not applied any more.
    if (!(await takePromotable(tx, id))) return;
    const { passedAt } = await lockChangeset(tx, id);
    if (passedAt === null) return;
    const members = await listOriginMembers(tx, id);
    for (const pipeline of locked) {
      for (const step of automaticSteps(pipeline)) {
        const commits = movedCommits(step.before, members);
        if (!("problem" in commits)) await noteSoaking(tx, { pipeline, step, origin }, { passedAt, commits });
      }
    }
  });
}

function automaticSteps(pipeline: PromotionPipeline): StageStep[] {
  return stepsOf(pipeline).filter(({ stage }) => stage.automatic);
}

/** The pipelines that may promote it automatically. */
async function pipelinesFor(reader: Reader, origin: Changeset): Promise<PromotionPipeline[]> {
  const pipelines = await listAllPipelines(reader, origin.organizationId);
  if (!pipelines.some((pipeline) => automaticSteps(pipeline).length > 0)) return [];
  const members = await listOriginMembers(reader, origin.id);
  return pipelines.filter((pipeline) =>
    automaticSteps(pipeline).some(({ before }) => !("problem" in movedCommits(before, members))),
  );
}

/** Whether its commits were pushed to the branch that its workspaces follow, or were promoted from there. */
export async function isOfBranch(reader: Reader, changeset: Changeset): Promise<boolean> {
  let current: Changeset | null = changeset;
  // A pipeline has few stages; one that leads back to itself ends here.
  for (let hop = 0; current !== null && hop < LIMITS.promotionHops; hop++) {
    if (current.source !== "PROMOTION" || current.originId === null) return current.source === "PUSH";
    current = await findChangeset(reader, current.originId);
  }
  return false;
}

async function noteSoaking(
  tx: Transaction,
  request: Parameters<typeof promotionOf>[0],
  facts: Parameters<typeof promotionOf>[1],
): Promise<void> {
  const promotion = { ...promotionOf(request, facts), dueAt: soakedAt(facts.passedAt, request.step.stage) };
  // A person was faster, or it was applied, tried again and applied once more.
  const done = await findPromotion(tx, promotion);
  if (done !== null && done.changesetId !== null) return;
  const newer = await findNewerPromotion(tx, promotion, { isPromoted: false });
  if (newer !== null) return upsertPromotion(tx, { ...promotion, dueAt: null, supersededById: newer.originId });
  await upsertPromotion(tx, promotion);
  await supersedeSoaking(tx, promotion);
}
