import { LIMITS } from "../../model/kit/limits.ts";
import type { Deps } from "../kit/deps.ts";
import { stopOvertakenChecks } from "../drift/stop-overtaken-checks.ts";
import { updateReachability } from "../lifecycle/update-reachability.ts";
import { offerFreeCapacity } from "../lifecycle/offer-capacity.ts";
import { settleAllFeeds } from "./settle-feeds.ts";
import { settleDueWorkspaces } from "./settle-due-workspaces.ts";
import { reportShortages } from "../lifecycle/report-blockers.ts";

/**
 * Handles what changes by time alone: scheduled runs, freeze windows, offline runners, and capacity shortages. Also stops
 * checks for drift that an apply has overtaken.
 */
export async function scheduleRound(deps: Deps): Promise<void> {
  await settleDueWorkspaces(deps);
  await stopOvertakenChecks(deps);
  await updateReachability(deps, LIMITS.reachabilitySteps);
  await offerFreeCapacity(deps);
  await reportShortages(deps);
  await settleAllFeeds(deps);
}
