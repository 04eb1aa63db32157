import type { Hub } from "../bus/hub.ts";
import { bulkRound } from "../domain/bulk/bulk-round.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Does operations on many runs, as soon as there are any. Disposing waits for the run whose turn it is. */
export function startBulkWorker(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("bulk");
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      await bulkRound(deps, stop.signal).catch((error: unknown) => deps.reportError(error, "bulk operations"));
      // Operations of another server, or that it left behind, are checked again.
      if (!stop.signal.aborted) await watch.changed(LIMITS.bulkPollMs);
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
