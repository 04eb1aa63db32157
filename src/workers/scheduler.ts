import type { Deps } from "../domain/kit/deps.ts";
import { scheduleRound } from "../domain/rounds/scheduler-round.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Does what only time brings about, and looks again for what was forgotten. */
export function startScheduler(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.schedulerMs,
    work: () => scheduleRound(deps),
    onError: (error) => deps.reportError(error, "the scheduler"),
  });
}
