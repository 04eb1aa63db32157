import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { createCheckRounds } from "../domain/external-check/check-round.ts";
import type { CheckTransport } from "../domain/external-check/request-check.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Starts the requests of external checks. Disposing interrupts those in progress; the next server makes them again. */
export function startExternalChecks(deps: Deps, hub: Hub, transport: CheckTransport): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("checks");
  const onError = (error: unknown): void => deps.reportError(error, "external checks");
  const rounds = createCheckRounds(deps, { transport, onDone: () => hub.signal("checks"), onError });
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const begun = await rounds.begin().catch(none);
      const waitMs = begun > 0 ? 0 : await rounds.waitMs().catch(() => LIMITS.checkPollMs);
      // A due result may be locked by a report: a pause keeps this server from asking for it without end.
      if (!stop.signal.aborted) await watch.changed(Math.max(waitMs, LIMITS.checkPauseMs));
    }
  }

  function none(error: unknown): number {
    if (!stop.signal.aborted) onError(error);
    return 0;
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      watch[Symbol.dispose]();
      await running;
      await rounds[Symbol.asyncDispose]();
    },
  };
}
