import type { Deps } from "../domain/deps.ts";
import { scheduleRound } from "../domain/run/scheduler-round.ts";
import { LIMITS } from "../model/limits.ts";
import { startLoop } from "./loop.ts";

/** Does what only time brings about, and looks again for what was forgotten. */
export function startScheduler(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.schedulerMs,
    work: () => scheduleRound(deps),
    onError: (error) => deps.reportError(error, "the scheduler"),
  });
}
