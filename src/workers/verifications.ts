import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { createVerificationRounds } from "../domain/verification/verification-round.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { VERIFICATION_LIMITS } from "../model/workspace/verification-limits.ts";

/** Starts the verifications of a server. Disposing interrupts those in progress; another server makes their rounds. */
export function startVerifications(deps: Deps, hub: Hub): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch("verifications");
  const onError = (error: unknown): void => deps.reportError(error, "verifying applies");
  const rounds = createVerificationRounds(deps, { onDone: () => hub.signal("verifications"), onError });
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const begun = await rounds.begin().catch(none);
      const waitMs = begun > 0 ? 0 : await rounds.waitMs().catch(() => VERIFICATION_LIMITS.pollMs);
      // A due verification may be locked by its run: a pause keeps this server from asking for it without end.
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
