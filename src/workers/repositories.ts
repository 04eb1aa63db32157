/** Reads the refs of repositories: by the clock, and when hooks or callers ask for it. */
import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { decideRound, renewDecisions } from "../domain/repository/decide.ts";
import { createLooks, leaseName } from "../domain/repository/looks.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the decisions of a server about refs that moved. Disposing waits for those in progress. */
export function startTriggerDecisions(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("repositories");
  const by = leaseName(deps);
  const onError = (error: unknown): void => {
    if (!stop.signal.aborted) deps.reportError(error, "deciding changes of refs");
  };
  const renewal = setInterval(() => void renewDecisions(deps, by).catch(onError), LIMITS.decisionRenewalMs);
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const decided = await decideRound(deps, by).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      if (!stop.signal.aborted && decided === 0) await watch.changed(LIMITS.lookSearchMs);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      watch[Symbol.dispose]();
      await running;
      clearInterval(renewal);
    },
  };
}

/** Starts the looks of a server. Disposing ends those in progress; the next server begins them again. */
export function startRepositoryLooks(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("repositories");
  const looks = createLooks(deps);
  const onError = (error: unknown): void => {
    if (!stop.signal.aborted) deps.reportError(error, "reading repositories");
  };
  const renewal = setInterval(() => void looks.renew().catch(onError), LIMITS.lookRenewalMs);
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const begun = await looks
        .begin((error) => onError(error))
        .catch((error: unknown) => {
          onError(error);
          return 0;
        });
      // A repository that was read just now may be due again.
      if (!stop.signal.aborted && begun < LIMITS.refReadsAtOnce) await watch.changed(LIMITS.lookSearchMs);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      watch[Symbol.dispose]();
      clearInterval(renewal);
      await running;
      await looks[Symbol.asyncDispose]();
    },
  };
}
