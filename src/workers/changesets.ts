import type { Hub } from "../bus/hub.ts";
import { changesetRound } from "../domain/changeset/changeset-round.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { promotionRound } from "../domain/promotion/promotion-round.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the work on changesets and promotions. Disposing waits for the current step. */
export function startChangesetWorker(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("changesets");
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      await promotionRound(deps, stop.signal).catch((error: unknown) => deps.reportError(error, "promotions"));
      await changesetRound(deps, stop.signal).catch((error: unknown) => deps.reportError(error, "changesets"));
      // Also finds what another server opened or left behind, and what has soaked.
      if (!stop.signal.aborted) await watch.changed(LIMITS.changesetPollMs);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      watch[Symbol.dispose]();
      await running;
    },
  };
}
