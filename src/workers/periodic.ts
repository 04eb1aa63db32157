import type { Deps } from "../domain/kit/deps.ts";
import { announceExpiringExceptions } from "../domain/judgement/announce-exceptions.ts";
import { type OnRemoved, retentionRound } from "../domain/retention/retention-round.ts";
import { healthRound } from "../domain/health/health-round.ts";
import { createLeaseRound } from "../domain/rounds/lease-round.ts";
import { scheduleRound } from "../domain/rounds/scheduler-round.ts";
import { createTimeRound } from "../domain/rounds/time-round.ts";
import { reconcileDrift } from "../domain/drift/reconcile-drift.ts";
import { expireWorkspaces } from "../domain/schedule/expire-workspaces.ts";
import { dueSchedulesRound } from "../domain/schedule/due-schedules-round.ts";
import { sweepScans } from "../domain/source/scan-cache.ts";
import { sweepUploads } from "../domain/source/upload-source.ts";
import { expireLocks } from "../domain/workspace/expire-locks.ts";
import { HEALTH_LIMITS } from "../model/health/health-limits.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { type LoopOptions, startLoop } from "./loop.ts";

/** Work that a server repeats at an interval, by the name under which its errors are reported. */
type PeriodicWork = Record<string, Pick<LoopOptions, "everyMs" | "work">>;

function periodicWork(deps: Deps, onRemoved: OnRemoved): PeriodicWork {
  return {
    // Admits what became admissible without an event, and repairs what an event missed.
    scheduler: { everyMs: LIMITS.schedulerMs, work: () => scheduleRound(deps) },
    // Ends runs and gates whose deadline has passed.
    timekeeper: { everyMs: LIMITS.timekeeperMs, work: createTimeRound(deps) },
    expiry: { everyMs: LIMITS.expiriesMs, work: () => expireWorkspaces(deps) },
    // Makes the runs that undo drift.
    reconciliation: { everyMs: LIMITS.reconciliationsMs, work: () => reconcileDrift(deps) },
    "policy exceptions": { everyMs: LIMITS.exceptionsMs, work: () => announceExpiringExceptions(deps) },
    // Finds the targets of probes again, and those without a prober; sends the webhooks about health that are due.
    "health of workspaces": { everyMs: HEALTH_LIMITS.roundMs, work: (signal) => healthRound(deps, signal) },
    // Makes the runs of schedules that are due.
    schedules: { everyMs: LIMITS.schedulesMs, work: (signal) => dueSchedulesRound(deps, signal) },
    "lease reaper": { everyMs: LIMITS.reaperMs, work: createLeaseRound(deps) },
    "lock expiry": { everyMs: LIMITS.lockExpiryMs, work: () => expireLocks(deps) },
    retention: { everyMs: LIMITS.retentionMs, work: (signal) => retentionRound(deps, onRemoved, signal) },
    // Removes unused uploads, old scans of configurations, and objects of a bucket that no row refers to.
    "upload sweeper": {
      everyMs: LIMITS.uploadSweepMs,
      work: async (signal) => {
        await sweepUploads(deps);
        await sweepScans(deps);
        await deps.blobs.sweep(signal);
      },
    },
  };
}

/** Starts the periodic work of a server. `onRemoved` is called with what retention removed. */
export function startPeriodicWork(deps: Deps, onRemoved: OnRemoved): AsyncDisposable[] {
  return Object.entries(periodicWork(deps, onRemoved)).map(([name, { everyMs, work }]) =>
    startLoop({ everyMs, work, onError: (error) => deps.reportError(error, `the ${name}`) }),
  );
}
