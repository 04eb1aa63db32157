import type { Hub } from "../bus/hub.ts";
import type { Deps } from "../domain/kit/deps.ts";
import type { LeasedRounds, RoundListeners } from "../domain/kit/leased-rounds.ts";
import { LIMITS } from "../model/kit/limits.ts";

/** Leased rounds of a server, the hint that something is due, and the name under which errors are reported. */
interface LeasedWorker {
  topic: Parameters<Hub["signal"]>[0];
  name: string;
  pollMs: number;
  create: (listeners: RoundListeners) => LeasedRounds;
}

/** Repeats rounds until it is disposed, which interrupts those in progress; another server makes them again. */
export function startLeasedWork(deps: Deps, hub: Hub, { topic, name, pollMs, create }: LeasedWorker): AsyncDisposable {
  const stop = new AbortController();
  const watch = hub.watch(topic);
  const onError = (error: unknown): void => deps.reportError(error, name);
  const rounds = create({ onDone: () => hub.signal(topic), onError });
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      watch.reset();
      const begun = await rounds.begin().catch(none);
      const waitMs = begun > 0 ? 0 : await rounds.waitMs().catch(() => pollMs);
      // A due row may be locked by another change: a pause keeps this server from asking for it without end.
      if (!stop.signal.aborted) await watch.changed(Math.max(waitMs, LIMITS.leasedPauseMs));
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
