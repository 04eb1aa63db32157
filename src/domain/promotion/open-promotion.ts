import type { Changeset } from "../../model/changeset/changeset.ts";
import type { Promotion } from "../../model/promotion/promotion.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { supersedeSoaking, upsertPromotion } from "../../persistence/promotion/promotion-store.ts";
import { type ChangesetOrder, openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import type { PromotionPlan, PromotionRequest } from "./plan-promotion.ts";

/** Returns the promotion of a changeset to a stage, before anything came of it. */
export function promotionOf(
  { pipeline, step, origin }: PromotionRequest,
  { passedAt, commits }: Pick<PromotionPlan, "passedAt" | "commits">,
): Promotion {
  return {
    originId: origin.id,
    pipelineId: pipeline.id,
    stage: step.stage.name,
    organizationId: pipeline.organizationId,
    passedAt,
    repositories: [...commits.keys()].toSorted(),
    dueAt: null,
    changesetId: null,
    supersededById: null,
    problem: null,
  };
}

/**
 * Opens the changeset of a stage, in place of what soaks there of older ones. The row of the pipeline must be locked. Its
 * runs start at `startsAt`, or at once.
 */
export async function openPromotion(
  tx: Transaction,
  deps: Deps,
  request: PromotionRequest,
  plan: PromotionPlan,
  { startsAt, ...by }: Pick<ChangesetOrder, "createdBy" | "request"> & { startsAt: string | null },
): Promise<Changeset> {
  const { pipeline, step, origin } = request;
  const [commit = null, ...others] = plan.commits.values();
  const changeset = await openChangeset(tx, deps, {
    ...by,
    organizationId: pipeline.organizationId,
    source: "PROMOTION",
    trigger: "PROMOTION",
    kind: "DEPLOY",
    title: origin.title,
    commit: others.length === 0 ? commit : null,
    originId: origin.id,
    members: plan.targets.map(({ workspace, commit: moved }) => ({
      workspaceId: workspace.id,
      scheduledAt: startsAt,
      cause: {
        type: "PROMOTION",
        changesetId: origin.id,
        pipelineId: pipeline.id,
        stage: step.stage.name,
        commit: moved,
      },
    })),
  });
  const promotion = { ...promotionOf(request, plan), changesetId: changeset.id };
  await upsertPromotion(tx, promotion);
  await supersedeSoaking(tx, promotion);
  return changeset;
}
