import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { type FailureReport, type FailureStage, toFailure } from "../../model/failure.ts";
import type { RunStatus } from "../../model/run-status.ts";
import { isConnectionLost } from "../../persistence/connection-lost.ts";
import type { Transaction } from "../../persistence/database.ts";
import { endLiveJob, type JobRow, listExpiredJobs, lockLiveJob } from "../../persistence/job-store.ts";
import { lastLogLine, readLogAfter } from "../../persistence/log-store.ts";
import type { Deps } from "../deps.ts";
import { type LockedRun, lockForChange } from "../run/locked-run.ts";
import { mustAccept, writeChange } from "../run/run-change.ts";
import { settleLocks } from "./settle-locks.ts";

const EVIDENCE_LINES = 6;
const EVIDENCE_BYTES = 64 * 1024;

/** Ends the leases that ran out; gives how many. Each run goes on, stops or fails as the machine says. */
export async function loseExpiredLeases(deps: Deps): Promise<number> {
  const expired = await listExpiredJobs(deps.database, deps.clock().toISOString());
  for (const job of expired) {
    // One that cannot be ended must not keep the others from being ended.
    await deps.database
      .transaction((tx) => lose(tx, deps, job))
      .catch((error: unknown) => {
        // What follows was read before: meanwhile nobody could renew a lease.
        if (isConnectionLost(error)) throw error;
        deps.reportError(error, `ending the lease of ${job.id}`);
      });
  }
  return expired.length;
}

async function lose(tx: Transaction, deps: Deps, { id, runId }: JobRow): Promise<void> {
  const locked = await lockForChange(tx, deps, runId);
  const job = await lockLiveJob(tx, id);
  const at = deps.clock().toISOString();
  // A heartbeat may have come in between.
  if (locked === null || job === null || job.expiresAt >= at) return;
  const decision = mustAccept(locked, { type: "leaseLost", handedBack: false });
  const applying = locked.run.status === "APPLYING" || locked.run.status === "PERFORMING";
  await endLiveJob(tx, runId, at);
  await settleLocks(tx, deps, locked, job, applying);
  const failed = decision.change?.status === "FAILED";
  const stopped = decision.change?.status === "STOPPED";
  await writeChange(tx, deps, locked, decision, {
    actorId: SYSTEM_ACTOR_ID,
    lost: true,
    // A stop that was asked for keeps what was said about it.
    reason: stopped ? locked.run.reason : "The runner was not heard from for longer than its lease.",
    ...(failed && { set: { failure: toFailure(await report(tx, locked, applying), applying) } }),
  });
}

const STAGES: Partial<Record<RunStatus, FailureStage>> = {
  PREPARING: "SETUP",
  INITIALIZING: "INIT",
  PLANNING: "PLAN",
  APPLYING: "APPLY",
  PERFORMING: "DEPLOY",
};

async function report(tx: Transaction, { run }: LockedRun, applying: boolean): Promise<FailureReport> {
  const last = await lastLogLine(tx, run.id);
  const tail = await readLogAfter(tx, run.id, Math.max(0, last - EVIDENCE_LINES), EVIDENCE_BYTES);
  return {
    code: "RUNNER_LOST",
    stage: STAGES[run.status] ?? "UNKNOWN",
    summary: applying ? "The runner was lost while it applied." : "The runner was lost on every attempt.",
    message: applying
      ? "The runner was not heard from for longer than its lease while it changed infrastructure. Nobody knows how " +
        "far it got: check, then unlock the workspace with force."
      : `The runner was not heard from for longer than its lease, ${run.attempt} times in a row.`,
    evidence: tail.map((line) => line.text),
    stateUncertain: applying,
  };
}
