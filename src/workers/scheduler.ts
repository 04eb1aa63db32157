import type { Deps } from "../domain/deps.ts";
import { offerFreePlaces } from "../domain/run/offer-places.ts";
import { LIMITS } from "../model/limits.ts";
import { startLoop } from "./loop.ts";

/** Looks again for places that are free. */
export function startScheduler(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.schedulerMs,
    work: () => offerFreePlaces(deps),
    onError: (error) => deps.reportError(error, "the scheduler"),
  });
}
