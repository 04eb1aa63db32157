import type { Deps } from "../domain/kit/deps.ts";
import { createTimeRound } from "../domain/rounds/time-round.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Does what the system does by itself when its time has come. */
export function startTimekeeper(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.timekeeperMs,
    work: createTimeRound(deps),
    onError: (error) => deps.reportError(error, "the timekeeper"),
  });
}
