import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { simulationRound } from "../domain/policy/simulation-round.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the work on simulations of policies. Disposing ends the judgement in progress. */
export function startSimulations(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("bulk");
  const by = Buffer.from(deps.randomBytes(16)).toString("hex");
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      await simulationRound(deps, stop.signal, by).catch((error: unknown) => {
        if (!stop.signal.aborted) deps.reportError(error, "simulations of policies");
      });
      // Also finds simulations that another server created or left behind.
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
