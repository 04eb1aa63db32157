import { LIMITS } from "../model/kit/limits.ts";
import type { Shedder } from "../model/limit/shedding.ts";

/** Samples how late timers are, until it is disposed: a late one means that requests wait for the CPU. */
export function startLoadWatch(shedder: Pick<Shedder, "sample">): Disposable {
  let due = performance.now() + LIMITS.loadSampleMs;
  const timer = setInterval(() => {
    const now = performance.now();
    shedder.sample(now - due > LIMITS.loopDelayMs);
    due = now + LIMITS.loadSampleMs;
  }, LIMITS.loadSampleMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
