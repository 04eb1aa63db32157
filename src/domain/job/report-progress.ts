/** What runners report: each message is one step of the run machine, taken once. */
import { createHash } from "node:crypto";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { type PlanContent, understated } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import { undecidedWarning } from "../../model/state/recovered-state.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import { decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import { type RunStatus, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { describeBroken } from "../../model/workspace/unlock-order.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  endLiveJob,
  findJob,
  findJobByClaim,
  type JobRow,
  lockLiveJob,
  recordMessage,
} from "../../persistence/dispatch/job-store.ts";
import { insertPlan } from "../../persistence/plan/plan-store.ts";
import { countUndecidedStates } from "../../persistence/state/recovered-state-store.ts";
import { findStateLocks } from "../../persistence/state/state-store.ts";
import type { Deps } from "../kit/deps.ts";
import { machineInput, type LockedRun, lockForChange, machinePlan } from "../lifecycle/locked-run.ts";
import type { ChangeDetails } from "../lifecycle/record-transition.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { SKIPPED_REASON } from "../lifecycle/skip-applying.ts";
import { discardStale } from "../state/discard-stale.ts";
import { breakLocks, describeWorkingRun } from "../workspace/break-locks.ts";
import { authorizeJob } from "./job-access.ts";
import { endIfStale } from "./end-at-claim.ts";
import { JobError, jobOver } from "./job-error.ts";
import { type ClaimedJob, describeJob, startJob } from "./leased-job.ts";
import { settleLocks } from "../lease/settle-locks.ts";
import { timeoutFailure } from "../lease/time-out.ts";

export type Progress =
  | { type: "restored" | "prepared" | "initialized" | "performed" | "handedBack" }
  | { type: "planned"; plan: PlanContent }
  | { type: "applied"; appliedAddresses: string[] }
  | { type: "failed"; failure: FailureReport }
  | { type: "stopped"; failure?: FailureReport | undefined }
  | { type: "timedOut"; failure: FailureReport };
export type SequencedProgress = { sequence: number } & Progress;

export interface ProgressReply {
  goOn: boolean;
  /** The apply of the plan that was reported, by the same runner. */
  next?: ClaimedJob;
}

/** Takes the next message of a job. A repeated one changes nothing. Throws JOB_OVER, OUT_OF_ORDER, MALFORMED. */
export async function reportProgress(
  deps: Deps,
  caller: JobCaller,
  message: SequencedProgress,
): Promise<ProgressReply> {
  authorizeJob(caller, "job:work");
  const goOn = await takeMessage(deps, caller, message);
  // Read again rather than carried over: a message whose answer was lost is answered in the same way.
  const next =
    message.type === "planned" && !goOn ? await findJobByClaim(deps.database, claimAfter(caller.jobId)) : null;
  return next === null || next.endedAt !== null ? { goOn } : { goOn, next: await describeJob(deps, next) };
}

/** The claim of the job that follows this one: nobody asks for it, the server makes it. */
function claimAfter(jobId: string): string {
  return `after:${jobId}`;
}

/** True where the job goes on. */
function takeMessage(deps: Deps, caller: JobCaller, message: SequencedProgress): Promise<boolean> {
  const digest = createHash("sha256").update(JSON.stringify(message)).digest("hex");
  return deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, caller.runId);
    if (locked === null) throw jobOver();
    const job = await lockLiveJob(tx, caller.jobId);
    if (job === null) {
      // Ended by this very message, whose answer was lost.
      const ended = await findJob(tx, caller.jobId);
      if (ended?.messageSequence === message.sequence && ended.messageDigest === digest) return false;
      throw jobOver();
    }
    if (job.messageSequence === message.sequence && job.messageDigest === digest) return true;
    if (job.messageSequence !== message.sequence - 1) {
      throw new JobError("OUT_OF_ORDER", `Message ${job.messageSequence + 1} is next, not ${message.sequence}.`);
    }
    await recordMessage(tx, job.id, { sequence: message.sequence, digest });
    // Before anything is written: what only some jobs may do.
    if (message.type === "performed" && locked.run.kind === "UNLOCK") authorizeJob(caller, "state:break");
    return step(tx, deps, locked, job, message);
  });
}

/** Makes the step; true where the job goes on with it. */
async function step(tx: Transaction, deps: Deps, locked: LockedRun, job: JobRow, message: Progress): Promise<boolean> {
  const details: ChangeDetails = { actorId: SYSTEM_ACTOR_ID, runnerId: job.runnerId };
  const stopping = locked.run.cancelRequest !== null;
  switch (message.type) {
    case "restored":
      // No hook is performed for an apply that is skipped.
      if (locked.skipApplying === true) return change(tx, deps, locked, job, { type: "skipApply" }, details);
      return change(tx, deps, locked, job, { type: "restored" }, details);
    case "prepared":
      // The apply of a plan that nobody is asked about: the run has been APPLYING since the plan was reported.
      if (STATUS_TRAITS[locked.run.status].changesInfrastructure && job.messageSequence === 0) return true;
      if (!isApplyLeg(job.leg)) return change(tx, deps, locked, job, { type: "prepared" }, details);
      // Said since the claim, while the runner fetched what it needs.
      if (locked.skipApplying === true) return change(tx, deps, locked, job, { type: "skipApply" }, details);
      details.set = { applyingAt: deps.clock().toISOString() };
      return change(tx, deps, locked, job, { type: "prepared" }, details);
    case "initialized":
      // A task that was asked to stop must not begin: from then on it may not be allowed to be stopped.
      if (stopping && job.leg === "TASK") return stop(tx, deps, locked, job, details);
      // A person may have written it since the claim: what was approved was to take the place of another state.
      if (locked.rollback !== null) {
        const stale = endIfStale(locked);
        if (stale !== null) return change(tx, deps, locked, job, stale.command, { ...details, ...stale.details });
      }
      return change(tx, deps, locked, job, { type: "initialized" }, details);
    case "planned":
      // The plan was finished before the request to stop arrived; the person's word counts.
      if (stopping) return stop(tx, deps, locked, job, details);
      return plan(tx, deps, locked, job, message.plan, details);
    case "applied":
      details.set = { appliedAt: deps.clock().toISOString() };
      return change(tx, deps, locked, job, { type: "applied" }, details);
    case "performed":
      return perform(tx, deps, locked, job, details);
    case "failed":
      if (isAddressMissed(locked.run, message.failure) && !stopping) {
        return keepPlan(tx, deps, locked, job, { ...details, reason: message.failure.summary });
      }
      details.set = { failure: toFailure(message.failure, !isUntouched(locked.run.status)) };
      return change(tx, deps, locked, job, { type: "fail" }, details);
    case "stopped":
      return stop(tx, deps, locked, job, details, message.failure);
    case "timedOut":
      return timeOut(tx, deps, locked, job, details, message.failure);
    case "handedBack":
      // From here on nobody else can go on: the runner that began must say how it ended.
      if (!isUntouched(locked.run.status)) throw new JobError("OUT_OF_ORDER", `The run is ${locked.run.status}.`);
      if (stopping) return stop(tx, deps, locked, job, details);
      // Another attempt would only exceed the limit again.
      if (locked.run.expired !== null) return timeOut(tx, deps, locked, job, details, null);
      details.reason = "The runner is shutting down.";
      details.set = { attempt: locked.run.attempt - 1 };
      return change(tx, deps, locked, job, { type: "leaseLost", handedBack: true }, details);
  }
}

/** Ends a run that exceeded a limit, of which its runner has been told. */
async function timeOut(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  details: ChangeDetails,
  report: FailureReport | null,
): Promise<boolean> {
  const { expired } = locked.run;
  if (expired === null) throw new JobError("OUT_OF_ORDER", "The run has exceeded no limit.");
  const failure = await timeoutFailure(tx, locked, expired.limit, report);
  return change(tx, deps, locked, job, { type: "timeout" }, { ...details, reason: failure.summary, set: { failure } });
}

/** Whether a run that a runner has was not applied yet, not even in part. */
function isUntouched(status: RunStatus): boolean {
  return !STATUS_TRAITS[status].changesInfrastructure;
}

/** What an apply says that was stopped and does not tell how far it got. */
const UNKNOWN_RESULT: FailureReport = {
  code: "APPLY_INTERRUPTED",
  stage: "APPLY",
  summary: "The run was interrupted, and its result is not known.",
  message:
    "The run was interrupted, and its result is not known. Check the infrastructure, then unlock the workspace with force.",
  evidence: [],
  stateUncertain: true,
};

/** Ends a run that somebody asked to stop. One that may have changed something has a failure that says how far it got. */
async function stop(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  details: ChangeDetails,
  report: FailureReport = UNKNOWN_RESULT,
): Promise<boolean> {
  const { run } = locked;
  if (!isUntouched(run.status)) details.set = { failure: toFailure(report, true) };
  // The workspace may have stopped allowing this while the engine was being interrupted: what happened stays true.
  const forbidden = run.cancelRequest !== null && !decide(machineInput(locked), { type: "stopped" }).accepted;
  if (forbidden && !isUntouched(run.status)) return change(tx, deps, locked, job, { type: "fail" }, details);
  const by = { actorId: run.cancelRequest?.actorId ?? details.actorId, reason: run.reason };
  return change(tx, deps, locked, job, { type: "stopped" }, { ...details, ...by });
}

/** A TASK is done. An UNLOCK frees its workspace with this very message: nothing of it is ever done in part. */
async function perform(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  details: ChangeDetails,
): Promise<boolean> {
  const { run, workspace } = locked;
  if (run.kind !== "UNLOCK" || isUntouched(run.status)) {
    return change(tx, deps, locked, job, { type: "performed" }, details);
  }
  const broken = await breakLocks(tx, deps, workspace, run.createdById);
  if (broken !== null) {
    const undecided = undecidedWarning(await countUndecidedStates(tx, workspace.id));
    details.reason = [describeBroken(broken), undecided].filter((text) => text !== null).join(" ");
    return change(tx, deps, locked, job, { type: "performed" }, details);
  }
  const [held = null] = await findStateLocks(tx, [workspace.id]);
  const summary = await describeWorkingRun(tx, held?.runId ?? null);
  details.set = { failure: toFailure({ code: "STATE_LOCK_HELD", summary, message: summary, evidence: [] }, false) };
  return change(tx, deps, locked, job, { type: "fail" }, details);
}

/** Asks the machine and writes; the lease ends where no runner is busy afterwards. */
async function change(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  command: RunCommand,
  details: ChangeDetails,
): Promise<boolean> {
  const decision = decide(machineInput(locked), command);
  if (!decision.accepted) throw new JobError("OUT_OF_ORDER", decision.reason);
  const { run } = locked;
  if (decision.name === "skipApply") details.reason = SKIPPED_REASON;
  const status = decision.change?.status ?? run.status;
  const applies = command.type === "planned" && !isUntouched(status);
  const goOn = decision.change !== null && STATUS_TRAITS[status].runnerBusy && !applies;
  if (!goOn) {
    await endLiveJob(tx, run.id, deps.clock().toISOString());
    await settleLocks(tx, deps, locked, job, details.set?.failure?.stateUncertain ?? false);
  }
  if (applies) {
    // The same runner goes on, with a lease and a token of the apply's own: those of the plan may not write the state.
    const lease = {
      claimId: claimAfter(job.id),
      leg: "APPLY",
      attempt: 1,
      runnerId: job.runnerId,
      leaseMs: job.leaseMs,
    } as const;
    await startJob(tx, deps, run, lease);
    details.set = { ...details.set, attempt: 1, applyingAt: deps.clock().toISOString() };
  }
  await applyTransition(tx, deps, locked, decision, details);
  return goOn;
}

/** Whether a replan found nothing for one of its addresses. */
function isAddressMissed({ leg, status }: Run, { code }: FailureReport): boolean {
  return code === "TARGET_NOT_FOUND" && leg === "REPLAN" && STATUS_TRAITS[status].planning;
}

/** A replan that cannot be made leaves the run with the plan that it was to take the place of. */
async function keepPlan(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  details: ChangeDetails,
): Promise<boolean> {
  const { plan: kept, workspace } = locked;
  if (kept === null) throw new JobError("OUT_OF_ORDER", "The run has no plan.");
  const set = { targets: kept.targets, replace: kept.replace };
  const goOn = await change(tx, deps, locked, job, { type: "keepPlan" }, { ...details, phaseEnd: "FAILED", set });
  if (kept.stateSerial < workspace.stateSerial) await discardStale(tx, deps, workspace.id, workspace.stateSerial);
  return goOn;
}

async function plan(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  content: PlanContent,
  details: ChangeDetails,
): Promise<boolean> {
  const { run } = locked;
  if (job.archiveBlobId === null) throw new JobError("MALFORMED", "The archive must be put before the plan.");
  if (!STATUS_TRAITS[run.status].planning) throw new JobError("OUT_OF_ORDER", `The run is ${run.status}.`);
  const less = understated(content);
  if (less !== null)
    throw new JobError("MALFORMED", `The plan lists more changes of the action ${less} than it counts.`);
  const version = run.planVersion + 1;
  const stored = await insertPlan(tx, {
    id: deps.newId("plan"),
    runId: run.id,
    version,
    targets: run.targets,
    replace: run.replace,
    archiveBlobId: job.archiveBlobId,
    createdAt: deps.clock().toISOString(),
    content,
  });
  const set = { planVersion: version };
  const events = [{ type: "PLAN_READY", planId: stored.id } as const];
  const command: RunCommand = { type: "planned", plan: machinePlan(stored, run) };
  const goOn = await change(tx, deps, { ...locked, plan: stored }, job, command, { ...details, set, events });
  // The state moved while the plan was on its way here: at the gate nobody could approve it.
  const { id, stateSerial } = locked.workspace;
  if (stored.stateSerial < stateSerial) await discardStale(tx, deps, id, stateSerial);
  return goOn;
}
