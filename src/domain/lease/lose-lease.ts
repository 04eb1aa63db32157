import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Failure } from "../../model/lifecycle/failure.ts";
import type { Run } from "../../model/run/run.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { endLiveJob, type JobRow, listExpiredJobs, lockLiveJob } from "../../persistence/dispatch/job-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";
import { isApplying, lostRunnerFailure } from "./lost-runner.ts";
import { lastLogLines } from "./last-log-lines.ts";
import { noteLostRunner } from "../../persistence/runner/runner-store.ts";
import { settleLocks } from "./settle-locks.ts";
import { endUnanswered } from "./time-out.ts";

/**
 * Ends the leases that ran out and returns their number. Skips leases longer than `reachableForMs`, the time for which
 * runners could reach a server. Each run is then retried, stopped or failed by the run machine.
 */
export async function loseExpiredLeases(deps: Deps, reachableForMs = Number.MAX_SAFE_INTEGER): Promise<number> {
  const expired = await listExpiredJobs(deps.database, deps.clock().toISOString(), reachableForMs);
  for (const job of expired) {
    // A job that cannot be ended must not block the others.
    await loseOne(deps, job).catch((error: unknown) => {
      // The rest of the list is stale: while the database was away, no runner could renew a lease.
      if (isConnectionLost(error)) throw error;
      deps.reportError(error, `ending the lease of ${job.id}`);
    });
  }
  return expired.length;
}

/** Ends one lease. The runner is updated afterwards, because a revocation locks the runner before its runs. */
async function loseOne(deps: Deps, job: JobRow): Promise<void> {
  const at = deps.clock().toISOString();
  const isLost = await deps.database.transaction((tx) => lose(tx, deps, job, LEASE_EXPIRED));
  if (isLost) await noteLostRunner(deps.database, job.runnerId, at);
}

/** A reason why a runner lost its job. */
interface Loss {
  /** A clause about the runner, without a full stop. */
  reason: string;
  /** Whether the reason still holds once the run is locked. */
  isDue: (job: JobRow, run: Run, at: string) => boolean;
}

const LEASE_EXPIRED: Loss = {
  reason: "The lease of the runner expired without a heartbeat",
  // A heartbeat may have come in between.
  isDue: (job, _run, at) => job.expiresAt < at,
};

/** Ends the lease of a revoked runner as if it were lost; that of an apply only with `force`. */
export function loseRevoked(tx: Transaction, deps: Deps, job: Pick<JobRow, "id" | "runId">, force: boolean) {
  const isDue: Loss["isDue"] = (_job, run) => force || !isApplying(run);
  return lose(tx, deps, job, { reason: "The runner was revoked", isDue });
}

/** Returns whether the lease was ended. */
async function lose(
  tx: Transaction,
  deps: Deps,
  { id, runId }: Pick<JobRow, "id" | "runId">,
  { reason, isDue }: Loss,
): Promise<boolean> {
  const locked = await lockForChange(tx, deps, runId);
  const job = await lockLiveJob(tx, id);
  const at = deps.clock().toISOString();
  if (locked === null || job === null || !isDue(job, locked.run, at)) return false;
  const { expired, cancelRequest } = locked.run;
  // The runner was already asked to stop: another attempt would only exceed the limit again.
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
    // A requested stop keeps the reason of the request.
    reason: end === "STOPPED" ? locked.run.reason : `${reason}.`,
    ...(end === "BADLY" && { set: { failure: await lostRunner(tx, locked.run, reason) } }),
  });
  return true;
}

async function lostRunner(tx: Transaction, run: Run, reason: string): Promise<Failure> {
  return lostRunnerFailure(run, reason, await lastLogLines(tx, run.id));
}
