import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import type { Run } from "../../model/run/run.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { endLiveJob, type JobRow, listExpiredJobs, lockLiveJob } from "../../persistence/dispatch/job-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type LockedRun, lockForChange } from "../lifecycle/locked-run.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";
import { stageOf } from "../../model/lifecycle/failure-stage.ts";
import { lastLogLines } from "./last-log-lines.ts";
import { noteLostRunner } from "../../persistence/runner/runner-store.ts";
import { settleLocks } from "./settle-locks.ts";
import { endUnanswered } from "./time-out.ts";

/**
 * Ends the leases that ran out, but for those that are longer than runners could be heard; gives how many. Each run goes
 * on, stops or fails as the machine says.
 */
export async function loseExpiredLeases(deps: Deps, heardForMs = Number.MAX_SAFE_INTEGER): Promise<number> {
  const expired = await listExpiredJobs(deps.database, deps.clock().toISOString(), heardForMs);
  for (const job of expired) {
    // One that cannot be ended must not keep the others from being ended.
    await loseOne(deps, job).catch((error: unknown) => {
      // The rest of the list is stale: while the database was away, no runner could renew a lease.
      if (isConnectionLost(error)) throw error;
      deps.reportError(error, `ending the lease of ${job.id}`);
    });
  }
  return expired.length;
}

/** The runner is noted afterwards: a revocation locks it before its runs. */
async function loseOne(deps: Deps, job: JobRow): Promise<void> {
  const at = deps.clock().toISOString();
  const isLost = await deps.database.transaction((tx) => lose(tx, deps, job, UNHEARD));
  if (isLost) await noteLostRunner(deps.database, job.runnerId, at);
}

/** Why a runner lost its work. */
interface Loss {
  /** A sentence without its end, about the runner. */
  words: string;
  /** Whether it is so still, now that the run is locked. */
  isDue: (job: JobRow, run: Run, at: string) => boolean;
}

const UNHEARD: Loss = {
  words: "The lease of the runner expired without a heartbeat",
  // A heartbeat may have come in between.
  isDue: (job, _run, at) => job.expiresAt < at,
};

/** Ends the lease of a runner that was revoked as if it were lost; that of an apply only with force. */
export function loseRevoked(tx: Transaction, deps: Deps, job: Pick<JobRow, "id" | "runId">, force: boolean) {
  const isDue: Loss["isDue"] = (_job, run) => force || !isApplying(run);
  return lose(tx, deps, job, { words: "The runner was revoked", isDue });
}

function isApplying({ status }: Run): boolean {
  return STATUS_TRAITS[status].changesInfrastructure;
}

/** `false` if the lease is not to be ended any more. */
async function lose(
  tx: Transaction,
  deps: Deps,
  { id, runId }: Pick<JobRow, "id" | "runId">,
  { words, isDue }: Loss,
): Promise<boolean> {
  const locked = await lockForChange(tx, deps, runId);
  const job = await lockLiveJob(tx, id);
  const at = deps.clock().toISOString();
  if (locked === null || job === null || !isDue(job, locked.run, at)) return false;
  const { expired, cancelRequest } = locked.run;
  // It was to end its work anyway: another attempt would only exceed the limit again.
  if (expired !== null && cancelRequest === null) {
    await endUnanswered(tx, deps, locked, job, expired.limit);
    return true;
  }
  const decision = mustAccept(locked, { type: "leaseLost", handedBack: false });
  const applying = isApplying(locked.run);
  await endLiveJob(tx, runId, at);
  await settleLocks(tx, deps, locked, job, applying);
  const end = decision.change === null ? null : STATUS_TRAITS[decision.change.status].end;
  await applyTransition(tx, deps, locked, decision, {
    actorId: SYSTEM_ACTOR_ID,
    phaseEnd: "LOST",
    // A stop that was asked for keeps what was said about it.
    reason: end === "STOPPED" ? locked.run.reason : `${words}.`,
    ...(end === "BADLY" && { set: { failure: toFailure(await report(tx, locked, applying, words), applying) } }),
  });
  return true;
}

async function report(tx: Transaction, { run }: LockedRun, applying: boolean, words: string): Promise<FailureReport> {
  return {
    code: "RUNNER_LOST",
    stage: stageOf(run.status),
    summary: applying ? "The runner was lost while it applied." : "The runner was lost on every attempt.",
    message: applying
      ? `${words} while it changed infrastructure. Its result is not known: check the infrastructure, then unlock the workspace ` +
        "with force."
      : `${words}; this was attempt ${run.attempt}.`,
    evidence: await lastLogLines(tx, run.id),
    stateUncertain: applying,
  };
}
