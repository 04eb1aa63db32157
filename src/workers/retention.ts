import type { Deps } from "../domain/deps.ts";
import { type OnRemoved, retentionRound } from "../domain/retention/retention-round.ts";
import { LIMITS } from "../model/limits.ts";
import { startLoop } from "./loop.ts";

/** Removes what organizations no longer keep. */
export function startRetention(deps: Deps, onRemoved: OnRemoved): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.retentionMs,
    work: (signal) => retentionRound(deps, onRemoved, signal),
    onError: (error) => deps.reportError(error, "the retention worker"),
  });
}
