import type { Hub } from "../bus/hub.ts";
import { bulkRound } from "../domain/bulk/bulk-round.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the execution of bulk operations. Disposing waits for the current run. */
export function startBulkWorker(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("bulk");
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      await bulkRound(deps, stop.signal).catch((error: unknown) => deps.reportError(error, "bulk operations"));
      // Also finds operations that another server created or left behind.
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
