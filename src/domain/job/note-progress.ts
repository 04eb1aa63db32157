import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { LIMITS } from "../../model/limits.ts";
import type { JobCaller } from "../../model/permission.ts";
import { phaseOf } from "../../model/phase-of-run.ts";
import { PROGRESS_PHASES, type ResourceProgress } from "../../model/run-progress.ts";
import { findProgressTold, putProgress } from "../../persistence/progress-store.ts";
import { lockRun } from "../../persistence/run-store.ts";
import { lockWorkspaceOfRun } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { groundOf } from "../run/locked-run.ts";
import { recordChange } from "../run/record-change.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError, jobOver } from "./job-error.ts";

/** `sequence` counts up within the job. */
export type SequencedResourceProgress = { sequence: number } & ResourceProgress;

/**
 * Keeps how far the engine is, in the place of what was said before, and tells listeners now and then. One that was
 * overtaken by a newer one is passed over. Throws JOB_OVER, OUT_OF_ORDER.
 */
export function noteProgress(
  deps: Deps,
  caller: JobCaller,
  { sequence, ...progress }: SequencedResourceProgress,
): Promise<void> {
  authorizeJob(caller, "job:work");
  return deps.database.transaction(async (tx) => {
    const workspace = await lockWorkspaceOfRun(tx, caller.runId);
    if (workspace === null) throw jobOver();
    const run = await lockRun(tx, caller.runId);
    const { id: jobId } = await useLiveJob(tx, caller);
    const phase = PROGRESS_PHASES.find((each) => each === phaseOf(run.status, run.leg));
    if (phase === undefined) throw new JobError("OUT_OF_ORDER", `The run is ${run.status}.`);
    const at = deps.clock();
    const before = await findProgressTold(tx, { runId: run.id, phase, jobId });
    if (before !== null && before.sequence >= sequence) return;
    const tells = before === null || Date.parse(before.toldAt) + LIMITS.progressToldMs <= at.getTime();
    const toldAt = tells ? at.toISOString() : before.toldAt;
    await putProgress(tx, { runId: run.id, phase, jobId, sequence, progress }, { at: at.toISOString(), toldAt });
    if (!tells) return;
    const ground = await groundOf(tx, deps, workspace);
    await recordChange(
      tx,
      deps,
      { ...ground, run },
      { accepted: true, name: "noteProgress", change: null },
      { actorId: SYSTEM_ACTOR_ID, events: [{ type: "CHANGED", fields: ["progress"] }] },
    );
  });
}
