/** The queries of the activity of organizations, now and within a time. */
import { type ActorCaller, scopeOf } from "../../model/people/permission.ts";
import { nextFreeAt, type OrganizationActivity } from "../../model/run/organization-activity.ts";
import type { StatisticsWindow } from "../../model/run/statistics.ts";
import { countLiveRuns, findPlaceUses } from "../../persistence/dispatch/activity-store.ts";
import { readOrganizationStatistics } from "../../persistence/workspace/statistics-store.ts";
import { batched, type Reads } from "../access/reads.ts";
import { permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";

export function createActivityQueries({ database, clock }: Pick<Deps, "database" | "clock">, base: Reads) {
  const placeUses = base.below(base.organizations, batched(database, findPlaceUses));
  return {
    /** Returns the activity of each organization: the runs that the caller may read, and the places of its figures. */
    activities: async (caller: ActorCaller, ids: readonly string[]): Promise<OrganizationActivity[]> => {
      const [runs, uses] = await Promise.all([
        countLiveRuns(database, scopeOf(caller, "RUN_READ"), ids),
        placeUses(ids),
      ]);
      const figures = permitOrNull(caller, "FIGURES_READ", uses);
      return ids.map((_id, index) => {
        const { counts, oldestAtGateId } = runs[index] ?? { counts: [], oldestAtGateId: null };
        const use = figures[index] ?? null;
        const places = use && { busy: use.busy, queueLength: use.queueLength, nextFreeAt: nextFreeAt(use, clock()) };
        return { counts, oldestAtGateId, places };
      });
    },
    /** Returns the statistics of each organization, of the runs that the caller may read. */
    organizationStatistics: async (caller: ActorCaller, ids: readonly string[], window: StatisticsWindow) =>
      readOrganizationStatistics(database, scopeOf(caller, "RUN_READ"), ids, window),
  };
}
