import type { Hub, Watch } from "../bus/hub.ts";
import { changesetRound } from "../domain/changeset/changeset-round.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { promotionRound } from "../domain/promotion/promotion-round.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the work on changesets and promotions. Disposing waits for the current steps. */
export function startChangesetWorker(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const [changesets, promotions] = [hub.watch("changesets"), hub.watch("changesets")];
  /** A changeset whose host hangs must not hold up promotions. */
  async function repeat(watch: Watch, round: () => Promise<void>, doing: string): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      await round().catch((error: unknown) => deps.reportError(error, doing));
      // Also finds what another server opened or left behind, and what has soaked.
      if (!stop.signal.aborted) await watch.changed(LIMITS.changesetPollMs);
    }
  }

  const due = { reset: () => changesets.reset(), changed: () => changesets.changed(LIMITS.changesetPollMs) };
  const running = Promise.all([
    repeat(changesets, () => changesetRound(deps, stop.signal, due), "changesets"),
    repeat(promotions, () => promotionRound(deps, stop.signal), "promotions"),
  ]);

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      changesets[Symbol.dispose]();
      promotions[Symbol.dispose]();
      await running;
    },
  };
}
