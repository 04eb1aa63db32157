import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { phaseOf } from "../../model/run/phase-of-run.ts";
import { PROGRESS_PHASES, type ResourceProgress } from "../../model/run/run-progress.ts";
import { findReportedProgress, putProgress } from "../../persistence/plan/progress-store.ts";
import { lockRun } from "../../persistence/run/run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { authorizeJob, checkLiveJob } from "./job-access.ts";
import { JobError } from "./job-error.ts";

/** A progress report; `sequence` increases within the job. */
export type SequencedResourceProgress = { sequence: number } & ResourceProgress;

/**
 * Stores the progress of the engine in place of the previous one and, at intervals, notifies listeners. An outdated
 * report is ignored. Throws JOB_OVER, OUT_OF_ORDER.
 */
export function noteProgress(
  deps: Deps,
  caller: JobCaller,
  { sequence, ...progress }: SequencedResourceProgress,
): Promise<void> {
  authorizeJob(caller, "job:work");
  return deps.database.transaction(async (tx) => {
    // Locks neither the workspace nor the job, so that commands and heartbeats do not wait. The lock on the run still
    // keeps the job from ending.
    const { runId, jobId } = caller;
    const run = await lockRun(tx, runId);
    await checkLiveJob(tx, caller);
    const phase = PROGRESS_PHASES.find((each) => each === phaseOf(run.status, run.leg));
    if (phase === undefined) throw new JobError("OUT_OF_ORDER", `The run is ${run.status}.`);
    const at = deps.clock();
    const before = await findReportedProgress(tx, { runId, phase, jobId });
    if (before !== null && before.sequence >= sequence) return;
    const notifies =
      before === null || Math.abs(at.getTime() - Date.parse(before.reportedAt)) >= LIMITS.progressEventMs;
    const reportedAt = notifies ? at.toISOString() : before.reportedAt;
    await putProgress(tx, { runId, phase, jobId, sequence, progress }, { at: at.toISOString(), reportedAt });
    if (notifies)
      await recordUpdate(tx, deps, run, {
        actorId: SYSTEM_ACTOR_ID,
        events: [{ type: "CHANGED", fields: ["progress"] }],
      });
  });
}
