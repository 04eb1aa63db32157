/** A prober of health whose leases, probes and clock are set by a test, and what it sends. */
import type {
  HealthReport,
  LeaseAnswer,
  LeasedTarget,
  LeaseRequest,
  ReportAnswer,
} from "../../src/model/health/prober-desk.ts";
import { NEW_TARGET, type TargetState } from "../../src/model/health/target-state.ts";
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import type { ProbeSample } from "../../src/model/probe/probe-sample.ts";
import { createHealthProber } from "../../src/probing/health-prober.ts";
import { httpRequest } from "./probe-targets.ts";

export const START = Date.parse("2026-03-20T12:00:00.000Z");
export const INTERVAL_MS = 30_000;
export const GOOD: ProbeSample = { ok: true, latencyMs: 5, failure: null, reason: null };
/** A state that good samples do not change. */
export const UP: TargetState = { ...NEW_TARGET, standing: "UP", samples: 3, goodInARow: 2, fastInARow: 2 };

export function leasedOf(id: number, more: Partial<LeasedTarget> = {}): LeasedTarget {
  const request = httpRequest(`http://${id}.example/`);
  const when = { intervalMs: INTERVAL_MS, phase: 0, bucketOffsetMs: 0 };
  return { id, ...when, request, state: NEW_TARGET, absent: false, sampledAt: null, ...more };
}

export const shardOf = (targets: readonly LeasedTarget[] | null, more: { shard?: number; fence?: number } = {}) => ({
  shard: 1,
  fence: 1,
  version: 1,
  targets,
  ...more,
});

/** A prober, with the leases that it gets one after the other; the last one stays. */
export function openProber(...leases: Partial<LeaseAnswer>[]) {
  let nowMs = 0;
  const asked: LeaseRequest[] = [];
  const probed: ProbeRequest[] = [];
  const reports: HealthReport[] = [];
  const lateness: number[] = [];
  const made = {
    /** How long the answer to a lease takes. */
    leaseTakesMs: 0,
    changes: 0,
    sample: (): Promise<ProbeSample> => Promise.resolve(GOOD),
    answer: (): Promise<ReportAnswer> => Promise.resolve({ at: "", refused: [], refusedBuckets: 0 }),
  };
  const prober = createHealthProber({
    desk: {
      lease(request) {
        const lease = leases[Math.min(asked.length, leases.length - 1)];
        asked.push(request);
        nowMs += made.leaseTakesMs;
        return Promise.resolve({
          at: new Date(START + nowMs).toISOString(),
          leaseMs: 3_600_000,
          shards: [],
          held: [],
          ...lease,
        });
      },
      report(report) {
        reports.push(report);
        return made.answer();
      },
      leave: () => Promise.resolve(),
    },
    prober: {
      probe(request) {
        probed.push(request);
        return made.sample();
      },
    },
    proberId: "p",
    perSecond: null,
    now: () => nowMs,
    onChange: () => void made.changes++,
    onStart: (lateMs) => void lateness.push(lateMs),
  });
  /** Lets time pass by steps, and the probes that have begun end. */
  async function pass(ms: number, stepMs = 100): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      nowMs += stepMs;
      prober.tick();
      await new Promise((done) => setImmediate(done));
    }
  }
  return { made, prober, asked, probed, reports, lateness, pass };
}
