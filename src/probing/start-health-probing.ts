import { HEALTH_LIMITS } from "../model/health/health-limits.ts";
import { createHealthProber, type HealthProberOptions } from "./health-prober.ts";

export interface HealthProbingOptions extends Omit<HealthProberOptions, "onChange" | "now"> {
  onError: (error: unknown) => void;
}

/** Probes and reports until it is disposed. */
export function startHealthProbing({ onError, ...options }: HealthProbingOptions): AsyncDisposable {
  const stop = new AbortController();
  let wake: () => void = nothing;
  let isChanged = false;
  const prober = createHealthProber({
    ...options,
    now: () => performance.now(),
    onChange() {
      isChanged = true;
      wake();
    },
  });
  const ticks = setInterval(() => prober.tick(), HEALTH_LIMITS.tickMs);
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const beganMs = performance.now();
      await attempt(() => prober.lease());
      // Changes are reported at once, a few together; everything else with the next heartbeat.
      for (;;) {
        const leftMs = beganMs + HEALTH_LIMITS.heartbeatMs - performance.now();
        if (leftMs <= 0 || stop.signal.aborted) break;
        if (!isChanged) await pause(leftMs);
        if (isChanged) await pause(Math.min(HEALTH_LIMITS.changePauseMs, leftMs), false);
        if (!isChanged || stop.signal.aborted) continue;
        isChanged = false;
        await attempt(() => prober.report());
      }
      if (!stop.signal.aborted) await attempt(() => prober.report());
    }
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!stop.signal.aborted) onError(error);
    });
  }

  /** Waits; a change ends it early if `wakes`. */
  function pause(ms: number, wakes = true): Promise<void> {
    return new Promise((done) => {
      const end = (): void => {
        clearTimeout(timer);
        stop.signal.removeEventListener("abort", end);
        wake = nothing;
        done();
      };
      const timer = setTimeout(end, ms);
      stop.signal.addEventListener("abort", end, { once: true });
      if (wakes) wake = end;
    });
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      clearInterval(ticks);
      await running;
      await prober[Symbol.asyncDispose]();
    },
  };
}

const nothing = (): void => undefined;
