import { LIMITS } from "../../model/kit/limits.ts";
import type { Deps } from "../kit/deps.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";
import { offerFreeCapacity } from "../lifecycle/offer-capacity.ts";
import { settleAllFeeds } from "./settle-feeds.ts";
import { settleStrays } from "./settle-strays.ts";
import { reportShortages } from "../lifecycle/report-blockers.ts";

/** What only time changes: scheduled runs, freeze windows, runners that are gone, who waits longer than a moment for a place or one. */
export async function scheduleRound(deps: Deps): Promise<void> {
  await settleStrays(deps);
  await updateReachability(deps, LIMITS.reachSteps);
  await offerFreeCapacity(deps);
  await reportShortages(deps);
  await settleAllFeeds(deps);
}
