import { type PageRequest, toPage } from "../../model/kit/page.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Promotion, PromotionPipeline } from "../../model/promotion/promotion.ts";
import { findPipelines, listPipelines } from "../../persistence/promotion/pipeline-store.ts";
import { listPromotionsOf } from "../../persistence/promotion/promotion-store.ts";
import { queryOrNull, queryPlacedLists } from "../access/query.ts";
import type { Reads } from "../access/reads.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { placeOfPipeline } from "./pipeline-command.ts";

/** Queries about pipelines, for callers who may read the runs of the whole organization. */
export function createPromotionQueries({ database }: Pick<Deps, "database">, reads: Reads) {
  const ofPipeline = (pipeline: PromotionPipeline) => placeOfPipeline(pipeline);
  const ofPromotion = (promotion: Promotion & { id: string }) => placeOfPipeline(promotion);
  const pipelines = reads.byId((ids) => findPipelines(database, ids), ofPipeline);
  const promotions = reads.lists(async (ids) => {
    const lists = await listPromotionsOf(database, ids);
    return lists.map((list) => list.map((promotion) => ({ ...promotion, id: keyOf(promotion) })));
  }, ofPromotion);
  return {
    pipelines: queryOrNull("RUN_READ", pipelines),
    /** Returns the promotions of changesets, which the caller was shown, to further stages. */
    promotionsOf: queryPlacedLists("RUN_READ", promotions),
    /** Lists the pipelines of an organization, oldest first; positions are ids. */
    listPipelines: async (caller: ActorCaller, organizationId: string, page: PageRequest<string>) => {
      if (!isStorable(organizationId)) return toPage(page, []);
      const read = () => listPipelines(database, organizationId, page);
      const found = await reads.pageBelow(reads.organizations, organizationId, read);
      return found?.permit(caller, "RUN_READ") ?? toPage(page, []);
    },
  };
}

function keyOf({ originId, pipelineId, stage }: Promotion): string {
  return JSON.stringify([originId, pipelineId, stage]);
}
