import { keepBuckets } from "../domain/health/keep-buckets.ts";
import type { Deps } from "../domain/kit/deps.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Keeps the samples of targets, at once and then at an interval: the first ones of a day need its partition. */
export function startHealthSamples(deps: Deps): AsyncDisposable {
  const stop = new AbortController();
  const onError = (error: unknown): void => deps.reportError(error, "the samples of probes");
  const first = keepBuckets(deps, stop.signal).catch(onError);
  const loop = startLoop({ everyMs: LIMITS.retentionMs, work: (signal) => keepBuckets(deps, signal), onError });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([first, loop[Symbol.asyncDispose]()]);
    },
  };
}
