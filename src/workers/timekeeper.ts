import type { Deps } from "../domain/deps.ts";
import { createTimeRound } from "../domain/run/time-round.ts";
import { LIMITS } from "../model/limits.ts";
import { startLoop } from "./loop.ts";

/** Does what the system does by itself when its time has come. */
export function startTimekeeper(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.timekeeperMs,
    work: createTimeRound(deps),
    onError: (error) => deps.reportError(error, "the timekeeper"),
  });
}
