import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { can, type RunnerCaller } from "../../model/permission.ts";
import { STATUS_FACTS } from "../../model/run-status.ts";
import type { Transaction } from "../../persistence/database.ts";
import { lockFirstOffered, type OfferedRun, takeOffered } from "../../persistence/dispatch-store.ts";
import { findJobByClaim, findJobByLockedClaim, type JobRow } from "../../persistence/job-store.ts";
import { seeRunner } from "../../persistence/runner-store.ts";
import { tryLockWorkspaceRow } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { lockForChange } from "../run/locked-run.ts";
import { mustAccept, writeChange } from "../run/run-change.ts";
import { JobError } from "./job-error.ts";
import { type ClaimedJob, describeJob, startJob } from "./leased-job.ts";

export interface Claim {
  claimId: string;
  runner: { name: string; version: string };
}

/** The next job, if there is one now. The same claim id gives the same job again while it is live. */
export async function claimJob(deps: Deps, caller: RunnerCaller, claim: Claim): Promise<ClaimedJob | null> {
  if (!can(caller, "job:claim")) throw new JobError("FORBIDDEN", "Only runners may claim jobs.");
  const earlier = await findJobByClaim(deps.database, claim.claimId);
  if (earlier !== null) return earlier.endedAt === null ? describeJob(deps, earlier) : null;
  const at = deps.clock().toISOString();
  const runnerId = await seeRunner(deps.database, { id: deps.newId("runner"), ...claim.runner, at });
  const job = await takeFirst(deps, claim.claimId, runnerId);
  return job === null || job.endedAt !== null ? null : describeJob(deps, job);
}

/** Takes the first run that has a place. One whose workspace somebody changes at this moment is passed over at first. */
async function takeFirst(deps: Deps, claimId: string, runnerId: string): Promise<JobRow | null> {
  const passedOver: OfferedRun[] = [];
  for (;;) {
    const tried = await deps.database.transaction(async (tx) => {
      const earlier = await findJobByLockedClaim(tx, claimId);
      if (earlier !== null) return { found: null, job: earlier };
      const found = await lockFirstOffered(
        tx,
        passedOver.map(({ runId }) => runId),
      );
      if (found === null) return null;
      // Never waiting for the workspace with the row in hand: whoever has the workspace may want the row.
      const free = await tryLockWorkspaceRow(tx, found.workspaceId);
      return { found, job: free ? await take(tx, deps, found.runId, claimId, runnerId) : null };
    });
    if (tried === null) break;
    if (tried.job !== null) return tried.job;
    if (tried.found !== null) passedOver.push(tried.found);
  }
  for (const { runId } of passedOver) {
    const job = await deps.database.transaction(
      async (tx) => (await findJobByLockedClaim(tx, claimId)) ?? take(tx, deps, runId, claimId, runnerId),
    );
    if (job !== null) return job;
  }
  return null;
}

/** Takes one run; null where it has no place any more. Its place goes over to the lease. */
async function take(
  tx: Transaction,
  deps: Deps,
  runId: string,
  claimId: string,
  runnerId: string,
): Promise<JobRow | null> {
  const locked = await lockForChange(tx, deps, runId);
  if (locked === null || !(await takeOffered(tx, runId))) return null;
  const { run } = locked;
  if (!STATUS_FACTS[run.status].claimable) throw new Error(`${runId} was dispatched while it is ${run.status}.`);
  const now = deps.clock();
  const attempt = run.attempt + 1;
  const leaseMs = locked.policy.limits.leaseMs;
  const job = await startJob(tx, deps, run, { claimId, leg: run.leg, attempt, runnerId, leaseMs });
  await writeChange(tx, deps, locked, mustAccept(locked, { type: "claim" }), {
    actorId: SYSTEM_ACTOR_ID,
    runnerId,
    set: { attempt, ...(run.startedAt === null && { startedAt: now.toISOString() }) },
  });
  return job;
}
