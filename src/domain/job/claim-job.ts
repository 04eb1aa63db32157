import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { can, type RunnerCaller } from "../../model/permission.ts";
import { STATUS_FACTS } from "../../model/run-status.ts";
import { type Transaction, violates } from "../../persistence/database.ts";
import { type Candidate, listCandidates } from "../../persistence/dispatch-store.ts";
import { countLiveJobs, findJobByClaim, type JobRow } from "../../persistence/job-store.ts";
import { lockOrganization } from "../../persistence/organization-store.ts";
import { seeRunner } from "../../persistence/runner-store.ts";
import type { Deps } from "../deps.ts";
import { lockForChange, mustAccept, writeChange } from "../run/run-change.ts";
import { JobError } from "./job-error.ts";
import { type ClaimedJob, describeJob, startJob } from "./leased-job.ts";

export interface Claim {
  claimId: string;
  runner: { name: string; version: string };
}

const CANDIDATES = 10;

/** The next job, if there is one now. The same claim id gives the same job again while it is live. */
export async function claimJob(deps: Deps, caller: RunnerCaller, claim: Claim): Promise<ClaimedJob | null> {
  if (!can(caller, "job:claim")) throw new JobError("FORBIDDEN", "Only runners may claim jobs.");
  const earlier = await findJobByClaim(deps.database, claim.claimId);
  if (earlier !== null) return earlier.endedAt === null ? describeJob(deps, earlier) : null;
  const at = deps.clock().toISOString();
  const runnerId = await seeRunner(deps.database, { id: deps.newId("runner"), ...claim.runner, at });
  try {
    for (const candidate of await listCandidates(deps.database, CANDIDATES, at)) {
      const job = await deps.database.transaction((tx) => take(tx, deps, candidate, claim.claimId, runnerId));
      if (job !== null) return describeJob(deps, job);
    }
  } catch (error) {
    // The same request, sent again while it was under way, was faster.
    if (!violates(error, "job_claim_id_key")) throw error;
    const job = await findJobByClaim(deps.database, claim.claimId);
    if (job !== null && job.endedAt === null) return describeJob(deps, job);
  }
  return null;
}

/** Takes one run under all the locks that its eligibility depends on; null where somebody was faster. */
async function take(
  tx: Transaction,
  deps: Deps,
  candidate: Candidate,
  claimId: string,
  runnerId: string,
): Promise<JobRow | null> {
  const organization = await lockOrganization(tx, candidate.organizationId);
  if ((await countLiveJobs(tx, organization.id)) >= organization.concurrencyLimit) return null;
  const locked = await lockForChange(tx, deps, candidate.runId);
  if (locked === null) return null;
  const { run, workspace } = locked;
  const blocked = workspace.paused || (run.status === "CONFIRMED" && workspace.lock !== null);
  if (!STATUS_FACTS[run.status].claimable || blocked) return null;
  const now = deps.clock();
  const attempt = run.attempt + 1;
  const job = await startJob(tx, deps, run, { claimId, leg: run.leg, attempt, runnerId });
  await writeChange(tx, deps, locked, mustAccept(locked, { type: "claim" }), {
    actorId: SYSTEM_ACTOR_ID,
    runnerId,
    set: { attempt, ...(run.startedAt === null && { startedAt: now.toISOString() }) },
  });
  return job;
}
