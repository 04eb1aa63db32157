import { LIMITS } from "../../model/kit/limits.ts";
import type { Deps } from "../kit/deps.ts";
import { settleReach } from "../lifecycle/update-reachability.ts";
import { offerFreePlaces } from "../lifecycle/offer-capacity.ts";
import { settleAllFeeds } from "./settle-feeds.ts";
import { settleStrays } from "./settle-strays.ts";
import { tellShortages } from "../lifecycle/report-blockers.ts";

/** What only time changes: scheduled runs, freeze windows, runners that are gone, who waits longer than a moment for a place or one. */
export async function scheduleRound(deps: Deps): Promise<void> {
  await settleStrays(deps);
  await settleReach(deps, LIMITS.reachSteps);
  await offerFreePlaces(deps);
  await tellShortages(deps);
  await settleAllFeeds(deps);
}
