import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { LIMITS } from "../../model/limits.ts";
import { can, type RunnerCaller } from "../../model/permission.ts";
import type { EngineVersion } from "../../model/plan.ts";
import type { Run } from "../../model/run.ts";
import type { RunKind, RunLeg } from "../../model/run-kind.ts";
import { isApplyLeg } from "../../model/run-kind.ts";
import { STATUS_FACTS } from "../../model/run-status.ts";
import type { Variable } from "../../model/workspace.ts";
import { type Transaction, violates } from "../../persistence/database.ts";
import { type Candidate, listCandidates } from "../../persistence/dispatch-store.ts";
import { countLiveJobs, findJobByClaim, insertJob, type JobRow } from "../../persistence/job-store.ts";
import { lastLogLine } from "../../persistence/log-store.ts";
import { findOrganizations, lockOrganization } from "../../persistence/organization-store.ts";
import { findNewestPlan } from "../../persistence/plan-store.ts";
import { findRun } from "../../persistence/run-store.ts";
import { seeRunner } from "../../persistence/runner-store.ts";
import { findWorkspace } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { lockForChange, mustAccept, writeChange } from "../run/run-change.ts";
import { readRunVariables } from "../run/run-variables.ts";
import { jobToken } from "./credentials.ts";
import { JobError } from "./job-error.ts";
import { sourceDigest } from "./source-digest.ts";

export interface Claim {
  claimId: string;
  runner: { name: string; version: string };
}

/** Everything that a runner needs for one leg of one run. */
export interface ClaimedJob {
  id: string;
  token: string;
  run: { id: string; number: number; kind: RunKind };
  workspace: { id: string; name: string; organization: string };
  leg: RunLeg;
  leaseMs: number;
  heartbeatMs: number;
  nextLine: number;
  targets: string[];
  replace: string[];
  variables: Variable[];
  source: { digest: string };
  stateSerial: number;
  plan: { version: number; digest: string; engine: EngineVersion } | null;
}

const CANDIDATES = 10;

/** The next job, if there is one now. The same claim id gives the same job again while it is live. */
export async function claimJob(deps: Deps, caller: RunnerCaller, claim: Claim): Promise<ClaimedJob | null> {
  if (!can(caller, "job:claim")) throw new JobError("FORBIDDEN", "Only runners may claim jobs.");
  const earlier = await findJobByClaim(deps.database, claim.claimId);
  if (earlier !== null) return earlier.endedAt === null ? describe(deps, earlier) : null;
  const at = deps.clock().toISOString();
  const runnerId = await seeRunner(deps.database, { id: deps.newId("runner"), ...claim.runner, at });
  try {
    for (const candidate of await listCandidates(deps.database, CANDIDATES)) {
      const job = await deps.database.transaction((tx) => take(tx, deps, candidate, claim.claimId, runnerId));
      if (job !== null) return describe(deps, job);
    }
  } catch (error) {
    // The same request, sent again while it was under way, was faster.
    if (!violates(error, "job_claim_id_key")) throw error;
    const job = await findJobByClaim(deps.database, claim.claimId);
    if (job !== null && job.endedAt === null) return describe(deps, job);
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
  const locked = await lockForChange(tx, candidate.runId);
  if (locked === null) return null;
  const { run, workspace } = locked;
  const blocked = workspace.paused || (run.status === "CONFIRMED" && workspace.lock !== null);
  if (!STATUS_FACTS[run.status].claimable || blocked) return null;
  const now = deps.clock();
  const attempt = run.attempt + 1;
  const job = {
    id: deps.newId("job"),
    claimId,
    runId: run.id,
    organizationId: run.organizationId,
    workspaceId: run.workspaceId,
    leg: run.leg,
    attempt,
    runnerId,
    claimedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + LIMITS.leaseMs).toISOString(),
  };
  await insertJob(tx, job);
  await writeChange(tx, deps, locked, mustAccept(locked, { type: "claim" }), {
    actorId: SYSTEM_ACTOR_ID,
    runnerId,
    set: { attempt, ...(run.startedAt === null && { startedAt: now.toISOString() }) },
  });
  return { ...job, endedAt: null, messageSequence: 0, messageDigest: null, archiveBlobId: null };
}

async function describe(deps: Deps, job: JobRow): Promise<ClaimedJob> {
  const { database, cipher } = deps;
  const run = await getRun(deps, job.runId);
  const workspace = await findWorkspace(database, job.workspaceId);
  const [organization = null] = await findOrganizations(database, [job.organizationId]);
  if (workspace === null || organization === null) throw new Error(`The workspace of ${run.id} does not exist.`);
  const plan = isApplyLeg(job.leg) ? await findNewestPlan(database, run.id) : null;
  return {
    id: job.id,
    token: jobToken(cipher, job.id),
    run: { id: run.id, number: run.number, kind: run.kind },
    workspace: { id: workspace.id, name: workspace.name, organization: organization.slug },
    leg: job.leg,
    leaseMs: LIMITS.leaseMs,
    heartbeatMs: LIMITS.heartbeatMs,
    nextLine: (await lastLogLine(database, run.id)) + 1,
    targets: run.targets,
    replace: run.replace,
    variables: await readRunVariables(database, deps, run.id),
    source: { digest: await sourceDigest(deps, run.id) },
    stateSerial: workspace.stateSerial,
    plan: plan === null ? null : { version: plan.version, digest: plan.digest, engine: plan.engine },
  };
}

async function getRun(deps: Deps, runId: string): Promise<Run> {
  const run = await findRun(deps.database, runId);
  if (run === null) throw new Error(`The run ${runId} does not exist.`);
  return run;
}
