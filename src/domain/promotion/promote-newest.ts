import { LIMITS } from "../../model/kit/limits.ts";
import { type ActorCaller, can } from "../../model/people/permission.ts";
import { workspacePlace } from "../../model/people/place.ts";
import { movedCommits, soakedAt, stepsOf, type StageStep } from "../../model/promotion/promotion.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockChangeset } from "../../persistence/changeset/changeset-store.ts";
import { lockPipeline } from "../../persistence/promotion/pipeline-store.ts";
import {
  findNewerPromotion,
  findPromotion,
  listOriginMembers,
  listPassed,
} from "../../persistence/promotion/promotion-store.ts";
import type { ChangesetOrder } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { isOfBranch } from "./consider-changeset.ts";
import { openPromotion, promotionOf } from "./open-promotion.ts";
import { planPromotion, type PromotionPlan, type PromotionRequest } from "./plan-promotion.ts";
import { PROMOTION_DEMANDS } from "./promote-changeset.ts";

/** The changeset that was opened, the last one of several repositories; and what kept others back, `null` if nothing did. */
export interface PromotedNewest {
  changesetId: string | null;
  problem: string | null;
}

const none = (problem: string): PromotedNewest => ({ changesetId: null, problem });

/**
 * Promotes to a stage, for each repository, the newest changeset of the stage before, if it has soaked and comes from a
 * branch. What the stage has already is left out. `caller`: who needs the rights in each workspace of the stage.
 */
export async function promoteNewest(
  tx: Transaction,
  deps: Deps,
  { pipelineId, stage }: { pipelineId: string; stage: string },
  { caller, ...by }: Pick<ChangesetOrder, "createdBy"> & { caller: ActorCaller },
): Promise<PromotedNewest> {
  const pipeline = await lockPipeline(tx, pipelineId);
  if (pipeline === null) return none("The pipeline was deleted.");
  const step = stepsOf(pipeline).find((one) => one.stage.name === stage);
  if (step === undefined) return none(`The pipeline has no stage "${stage}" with one before it.`);
  const seen = new Set<string>();
  const problems = new Set<string>();
  let changesetId: string | null = null;
  for (const id of await listPassed(tx, pipeline.organizationId, step.before.label, LIMITS.promotionsByRound)) {
    const request = { pipeline, step, origin: await lockChangeset(tx, id) };
    const repositories = await repositoriesOf(tx, step, id);
    const isNewest = repositories.length > 0 && !repositories.some((repository) => seen.has(repository));
    for (const repository of repositories) seen.add(repository);
    if (!isNewest) continue;
    const found = await judge(tx, deps, request, caller);
    if (typeof found === "string") problems.add(found);
    else if (found !== null)
      changesetId = (await openPromotion(tx, deps, request, found, { ...by, startsAt: null })).id;
  }
  if (changesetId === null && problems.size === 0) return none("There is nothing new to promote.");
  return { changesetId, problem: [...problems].join(" ").slice(0, LIMITS.textLength) || null };
}

async function repositoriesOf(tx: Transaction, { before }: StageStep, id: string): Promise<string[]> {
  const commits = movedCommits(before, await listOriginMembers(tx, id));
  return "problem" in commits ? [] : [...commits.keys()];
}

/** Returns what the stage gets of a changeset; a sentence if it cannot get it, `null` if it has it. */
async function judge(
  tx: Transaction,
  deps: Deps,
  request: PromotionRequest,
  caller: ActorCaller,
): Promise<PromotionPlan | string | null> {
  const { pipeline, step, origin } = request;
  const { stage } = step;
  const key = { originId: origin.id, pipelineId: pipeline.id, stage: stage.name };
  const done = await findPromotion(tx, key);
  if (done !== null && done.changesetId !== null) return null;
  const plan = await planPromotion(tx, request);
  if ("field" in plan) return `The ${plan.field === "stage" ? "stage" : "newest changeset"} ${plan.message}`;
  if ((await findNewerPromotion(tx, promotionOf(request, plan), { isPromoted: true })) !== null) return null;
  const until = soakedAt(plan.passedAt, stage);
  if (until > deps.clock().toISOString()) return `The newest changeset soaks until ${until}.`;
  if (!(await isOfBranch(tx, origin))) return "The newest changeset comes from no branch: promote it by hand.";
  const missing = PROMOTION_DEMANDS.find(({ permission }) =>
    plan.targets.some(({ workspace }) => !can(caller, permission, workspacePlace(workspace))),
  );
  if (missing === undefined) return plan;
  return `${caller.actor.name} has not the permission ${missing.permission} in every workspace of the stage.`;
}
