import type { Deps } from "../domain/kit/deps.ts";
import { type OnRemoved, retentionRound } from "../domain/retention/retention-round.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Removes what organizations no longer keep. */
export function startRetention(deps: Deps, onRemoved: OnRemoved): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.retentionMs,
    work: (signal) => retentionRound(deps, onRemoved, signal),
    onError: (error) => deps.reportError(error, "the retention worker"),
  });
}
