import type { Deps } from "../deps.ts";
import { offerFreePlaces } from "./offer-places.ts";
import { settleStrays } from "./settle-strays.ts";
import { tellShortages } from "./tell-blockers.ts";

/** What only time changes: scheduled runs, freeze windows, who waits longer than a moment for a place or a runner. */
export async function scheduleRound(deps: Deps): Promise<void> {
  await settleStrays(deps);
  await offerFreePlaces(deps);
  await tellShortages(deps);
}
