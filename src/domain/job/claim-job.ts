import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { obstacleKindsOf } from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RunnerCaller } from "../../model/people/permission.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import { setAlarm } from "../../persistence/run/alarm-store.ts";
import { type Transaction, violates } from "../../persistence/database/database.ts";
import {
  isBarred,
  isWorkFor,
  lockFirstOffered,
  type OfferedRun,
  offerSlots,
  takeFirstOffered,
  type TakenRun,
  takeOffered,
} from "../../persistence/dispatch/dispatch-store.ts";
import { findJobByClaim, findJobByLockedClaim, type JobRow } from "../../persistence/dispatch/job-store.ts";
import { findIdleSlot, moveIdleSlot } from "../../persistence/dispatch/reachability-store.ts";
import type { SeenRunner } from "../../persistence/runner/runner-store.ts";
import { tryLockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { waitingAlarm } from "../lifecycle/alarm.ts";
import { lockForChange, lockRunIn } from "../lifecycle/locked-run.ts";
import { workspaceContextAt, type LockedRun } from "../lifecycle/machine-input.ts";
import { recordTransition } from "../lifecycle/record-transition.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";
import { mustBeJudged } from "../lifecycle/order-judgement.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { admissionConditions } from "../lifecycle/admission-conditions.ts";
import type { IdleClaim } from "./find-retryable-claims.ts";
import { type EndAtClaim, endAtClaim } from "./end-at-claim.ts";
import { type RunnerReport, recordContact } from "./record-contact.ts";
import { JobError } from "./job-error.ts";
import { type ClaimedJob, describeJob, type KnownOfJob, startJob } from "./leased-job.ts";

export interface Claim extends RunnerReport {
  claimId: string;
}

/**
 * The result of a claim. CYCLE: the runner process must end. `idle`: no job is available; the claim may wait for one.
 */
export type ClaimOutcome = { job: ClaimedJob } | { directive: "CYCLE" } | { idle: IdleClaim };

/** Claims the next job for a runner. A repeated claim id returns its job for as long as that is live. */
export async function claimJob(deps: Deps, caller: RunnerCaller, claim: Claim): Promise<ClaimOutcome> {
  const runner = await recordContact(deps, caller, claim);
  const { claimId } = claim;
  const drained = runner.cycled || runner.drainRequested || claim.runner.draining;
  const found = drained ? await findEarlier(deps, claimId) : await takeNext(deps, claimId, runner);
  if (found === null || found.job.endedAt !== null) {
    if (runner.cycled) return { directive: "CYCLE" };
    const { instance } = claim.runner;
    return { idle: { claimId, runnerId: runner.id, instance, tokenId: caller.tokenId ?? null } };
  }
  if (found.job.runnerId !== runner.id)
    throw new JobError("FORBIDDEN", "The claim belongs to another runner. Claim with a new claimId.");
  return { job: await describeJob(deps, found.job, found.known) };
}

/** A job, with what the transaction that started it has read. */
interface FoundJob {
  job: JobRow;
  known?: KnownOfJob;
}

async function findEarlier({ database }: Deps, claimId: string): Promise<FoundJob | null> {
  const job = await findJobByClaim(database, claimId);
  return job === null ? null : { job };
}

async function takeNext(deps: Deps, claimId: string, runner: SeenRunner): Promise<FoundJob | null> {
  // Without a lock: most claims find nothing and then wait (find-retryable-claims.ts).
  const found = await isWorkFor(deps.database, claimId, runner);
  if (found === "ANSWERED") return findEarlier(deps, claimId);
  if (found === "NO" || (found === "MAYBE" && !(await takeIdleSlot(deps, runner)))) return null;
  return takeFirst(deps, claimId, runner);
}

/**
 * Moves capacity of the organization to a run that this runner can take, from a run that waits for other runners.
 * Returns whether it did. Without it, the runner would be idle while all capacity is reserved for busy runners.
 */
async function takeIdleSlot({ database, clock }: Deps, runner: SeenRunner): Promise<boolean> {
  const asksSince = new Date(clock().getTime() - LIMITS.runnerPollMs).toISOString();
  const organizationId = await findIdleSlot(database, runner, asksSince);
  if (organizationId === null) return false;
  return database.transaction((tx) => moveIdleSlot(tx, organizationId, runner, asksSince));
}

type Found = Pick<OfferedRun, "runId">;
/** PASSED: the run is no longer available, or it ended at its claim. */
type Taken = FoundJob | "PASSED";

/**
 * Takes the first offered run. A run whose workspace is locked at the moment is tried last. A run whose claim fails is
 * skipped, so that it does not block the others.
 */
async function takeFirst(deps: Deps, claimId: string, runner: SeenRunner): Promise<FoundJob | null> {
  const claim = { claimId, runner };
  const later: Found[] = [];
  const broken: Found[] = [];
  for (;;) {
    const first: { found: Found | null } = { found: null };
    const except = [...later, ...broken].map(({ runId }) => runId);
    const attempt = (work: (tx: Transaction) => Promise<Taken | "BUSY" | null>) =>
      deps.database.transaction(work).catch((error: unknown): Promise<Taken | null> | Taken => {
        // The same claim was sent twice, and the other request has got a job meanwhile.
        if (violates(error, "job_claim_id_key")) return findEarlier(deps, claimId);
        return setAside(deps, broken, first.found, error);
      });
    const free = await attempt(async (tx) => {
      const found = await takeFirstOffered(tx, claimId, runner, except);
      first.found = found;
      return found === null ? null : startTaken(tx, deps, found, claim);
    });
    // In another transaction: this one waits, and must not keep anyone from revoking the runner.
    const taken = free ?? (await attempt((tx) => takeBusy(tx, deps, claim, { except, first })));
    if (taken === null) break;
    if (taken === "BUSY" && first.found !== null) later.push(first.found);
    if (typeof taken !== "string") return taken;
  }
  for (const { runId } of later) {
    const taken = await deps.database.transaction(async (tx): Promise<Taken | null> => {
      const job = await findJobByLockedClaim(tx, claimId);
      return job === null ? take(tx, deps, runId, claim) : { job };
    });
    if (taken !== "PASSED") return taken;
  }
  return null;
}

/** Finds a run whose workspace is locked at the moment, if there is no other. */
async function takeBusy(
  tx: Transaction,
  deps: Deps,
  claim: { claimId: string; runner: SeenRunner },
  { except, first }: { except: readonly string[]; first: { found: Found | null } },
): Promise<Taken | "BUSY" | null> {
  const job = await findJobByLockedClaim(tx, claim.claimId);
  if (job !== null) return { job };
  const found = await lockFirstOffered(tx, claim.runner, except);
  first.found = found;
  if (found === null) return null;
  // Does not wait for the workspace while it has the dispatch row: the holder of the workspace may need that row.
  const workspace = await tryLockWorkspaceRow(tx, found.workspaceId);
  if (workspace !== null) return take(tx, deps, found.runId, claim, workspace);
  // If the limit was lowered meanwhile, the row has kept its slot, because it was locked.
  offerSlots(tx, found.organizationId);
  return "BUSY";
}

/** Starts a job for a run that was taken out of the dispatch table. */
async function startTaken(
  tx: Transaction,
  deps: Deps,
  { runId, workspace, organization, ...deciding }: TakenRun,
  claim: { claimId: string; runner: SeenRunner },
): Promise<Taken> {
  const context = workspaceContextAt(deps.clock(), workspace, organization, deciding);
  const locked = await lockRunIn(tx, deps, context, runId);
  const job = await start(tx, deps, locked, claim);
  if (job === "PASSED") return job;
  return { job, known: { run: locked.run, workspace, organizationSlug: organization.slug } };
}

const BROKEN_AT_ONCE = 5;

/** Reports a run whose claim failed and skips it. Rethrows if the database itself fails. */
function setAside(deps: Deps, broken: Found[], found: Found | null, error: unknown): "PASSED" {
  if (found === null || isConnectionLost(error) || broken.length >= BROKEN_AT_ONCE) throw error;
  deps.reportError(error, `claiming ${found.runId}`);
  broken.push(found);
  return "PASSED";
}

/**
 * Takes one run if it is still offered; its capacity passes to the lease. `null` if the runner may take nothing any
 * more.
 */
async function take(
  tx: Transaction,
  deps: Deps,
  runId: string,
  claim: { claimId: string; runner: SeenRunner },
  kept?: Workspace,
): Promise<Taken | null> {
  const locked = await lockForChange(tx, deps, runId, kept);
  if (locked === null) return "PASSED";
  if (!(await takeOffered(tx, claim.runner, runId))) return (await isBarred(tx, claim.runner)) ? null : "PASSED";
  const job = await start(tx, deps, locked, claim);
  return job === "PASSED" ? job : { job };
}

/** Starts the job of a run whose row in the dispatch table was taken out, unless the run cannot go to a runner. */
async function start(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  { claimId, runner }: { claimId: string; runner: SeenRunner },
): Promise<JobRow | "PASSED"> {
  const { run, workspace, rules } = locked;
  const runId = run.id;
  const now = deps.clock();
  if (!STATUS_TRAITS[run.status].claimable || obstacleKindsOf(run, admissionConditions(locked, now)).length > 0) {
    // The dispatch row was outdated by the clock: a freeze window has opened.
    await setAlarm(tx, runId, waitingAlarm(locked, now));
    offerSlots(tx, workspace.organizationId);
    await settleWorkspace(tx, deps, workspace.id);
    return "PASSED";
  }
  if (await mustBeJudged(tx, deps, locked.judges, run)) {
    // Another version of a policy was activated since it was offered. Settling holds it back.
    offerSlots(tx, workspace.organizationId);
    await settleWorkspace(tx, deps, workspace.id);
    return "PASSED";
  }
  const end = await endAtClaim(tx, locked);
  if (end !== null) {
    offerSlots(tx, workspace.organizationId);
    await endPrepared(tx, deps, locked, end);
    return "PASSED";
  }
  const attempt = run.attempt + 1;
  const lease = { claimId, runnerId: runner.id, leg: run.leg, attempt, leaseMs: rules.limits.leaseMs };
  const job = await startJob(tx, deps, run, lease);
  await applyTransition(tx, deps, locked, mustAccept(locked, { type: "claim" }), {
    actorId: SYSTEM_ACTOR_ID,
    runnerId: runner.id,
    set: { attempt, ...(run.startedAt === null && { startedAt: now.toISOString() }) },
  });
  return job;
}

/** Claims the run and ends it in one transaction, so that no runner gets it. */
async function endPrepared(tx: Transaction, deps: Deps, locked: LockedRun, end: EndAtClaim): Promise<void> {
  const claimed = mustAccept(locked, { type: "claim" });
  const prepared = { ...locked, run: await recordTransition(tx, deps, locked, claimed, { actorId: SYSTEM_ACTOR_ID }) };
  await applyTransition(tx, deps, prepared, mustAccept(prepared, end.command), {
    actorId: SYSTEM_ACTOR_ID,
    ...end.details,
  });
}
