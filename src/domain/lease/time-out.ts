/** Ends runs that exceeded a limit while a runner had them. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Failure, FailureReport } from "../../model/lifecycle/failure.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { ExceededLimit } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { endLiveJob, type JobRow } from "../../persistence/dispatch/job-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";
import { lastLogLines } from "./last-log-lines.ts";
import { judgementFailure, reportedFailure, unansweredFailure, unverifiedFailure } from "./limit-failure.ts";
import { settleLocks } from "./settle-locks.ts";

/**
 * Builds the failure of a run that exceeded a limit. Keeps the runner's report, except for its code. `report` is `null`
 * if the runner did not answer.
 */
export async function timeoutFailure(
  tx: Transaction,
  locked: LockedRun,
  limit: ExceededLimit,
  report: FailureReport | null,
): Promise<Failure> {
  if (report !== null) return reportedFailure(locked, limit, report);
  return unansweredFailure(locked, limit, await lastLogLines(tx, locked.run.id));
}

/** Takes the run from a runner that did not end its work or is gone, and ends it TIMED_OUT. */
export async function endUnanswered(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  limit: ExceededLimit,
): Promise<void> {
  const failure = await timeoutFailure(tx, locked, limit, null);
  await endLiveJob(tx, locked.run.id, deps.clock().toISOString());
  await settleLocks(tx, deps, locked, job, failure.stateUncertain);
  await applyTransition(tx, deps, locked, mustAccept(locked, { type: "timeout" }), {
    actorId: SYSTEM_ACTOR_ID,
    phaseEnd: "LOST",
    reason: failure.summary,
    set: { failure },
  });
}

/** Ends a run that exceeded its limit on the server: while its plan was judged, or its apply verified. */
export async function endServerWork(tx: Transaction, deps: Deps, locked: LockedRun): Promise<void> {
  const isJudged = STATUS_TRAITS[locked.run.status].deadline === "JUDGING";
  const failure = isJudged ? judgementFailure(locked) : unverifiedFailure();
  const decision = mustAccept(locked, { type: isJudged ? "timeout" : "fail" });
  await applyTransition(tx, deps, locked, decision, {
    actorId: SYSTEM_ACTOR_ID,
    reason: failure.summary,
    set: { failure },
  });
}
