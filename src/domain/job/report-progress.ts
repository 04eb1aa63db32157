/** Handles the messages of runners. Each message is one step of the run machine and takes effect once. */
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
import { insertRunStages } from "../../persistence/approval/run-stage-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  endLiveJob,
  findJob,
  findJobByClaim,
  type JobRow,
  recordMessage,
} from "../../persistence/dispatch/job-store.ts";
import { insertPlan } from "../../persistence/plan/plan-store.ts";
import { countUndecidedStates } from "../../persistence/state/recovered-state-store.ts";
import { findStateLocks } from "../../persistence/state/state-store.ts";
import { unjudgedPlan } from "../creation/unjudged-plan.ts";
import type { Deps } from "../kit/deps.ts";
import { decideStages } from "../lifecycle/conditional-stages.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { orderPlanJudgement } from "../lifecycle/order-judgement.ts";
import { machineInput, machinePlan, type LockedRun } from "../lifecycle/machine-input.ts";
import type { ChangeDetails } from "../lifecycle/transition-changes.ts";
import { applyTransition } from "../lifecycle/apply-transition.ts";
import { SKIPPED_REASON } from "../lifecycle/skip-applying.ts";
import { discardStale } from "../state/discard-stale.ts";
import { breakLocks, describeExecutingRun } from "../workspace/break-locks.ts";
import { UNKNOWN_RESULT } from "./unknown-result.ts";
import { type AppliedMessage, diagnosticsOf, keepDiagnostics } from "./keep-diagnostics.ts";
import { keepChecks } from "./keep-checks.ts";
import { type Finding, noteFinding } from "./note-finding.ts";
import { noteModuleFolders } from "./note-module-folders.ts";
import { takeDocument } from "./document.ts";
import { authorizeJob } from "./job-access.ts";
import { endIfStale } from "./end-at-claim.ts";
import { JobError, jobOver } from "./job-error.ts";
import { type ClaimedJob, describeJob, startJob } from "./leased-job.ts";
import { settleLocks } from "../lease/settle-locks.ts";
import { timeoutFailure } from "../lease/time-out.ts";

export type Progress =
  | { type: "restored" | "prepared" | "performed" | "handedBack" }
  | { type: "initialized"; moduleFolders?: string[] | undefined }
  | { type: "planned"; plan: PlanContent }
  | AppliedMessage
  | { type: "failed"; failure: FailureReport }
  | { type: "stopped"; failure?: FailureReport | undefined }
  | { type: "timedOut"; failure: FailureReport }
  | Finding;
export type SequencedProgress = { sequence: number } & Progress;

export interface ProgressReply {
  goOn: boolean;
  /** The apply job that follows the reported plan on the same runner. */
  next?: ClaimedJob;
}

/** Handles the next message of a job. A repeated message changes nothing. Throws JOB_OVER, OUT_OF_ORDER, MALFORMED. */
export async function reportProgress(
  deps: Deps,
  caller: JobCaller,
  message: SequencedProgress,
): Promise<ProgressReply> {
  authorizeJob(caller, "job:work");
  const goOn = await takeMessage(deps, caller, message);
  // Read from the database, so that a repeated message gets the same reply.
  const next =
    message.type === "planned" && !goOn ? await findJobByClaim(deps.database, claimAfter(caller.jobId)) : null;
  return next === null || next.endedAt !== null ? { goOn } : { goOn, next: await describeJob(deps, next) };
}

/** The claim id of the job that the server creates to follow this one. */
function claimAfter(jobId: string): string {
  return `after:${jobId}`;
}

/** Returns whether the job continues. */
function takeMessage(deps: Deps, caller: JobCaller, message: SequencedProgress): Promise<boolean> {
  const digest = createHash("sha256").update(JSON.stringify(message)).digest("hex");
  return deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, caller.runId);
    if (locked === null) throw jobOver();
    const job = await recordMessage(tx, caller.jobId, { sequence: message.sequence, digest });
    if (job === null) return repeatMessage(tx, caller, { sequence: message.sequence, digest });
    // Before anything is written: only some jobs may break locks.
    if (message.type === "performed" && locked.run.kind === "UNLOCK") authorizeJob(caller, "state:break");
    return step(tx, deps, locked, job, message);
  });
}

/** Returns whether the job continues after a message that was recorded before. Throws if it was not. */
async function repeatMessage(
  tx: Transaction,
  { jobId }: JobCaller,
  { sequence, digest }: { sequence: number; digest: string },
): Promise<boolean> {
  const job = await findJob(tx, jobId);
  const isRepeated = job?.messageSequence === sequence && job.messageDigest === digest;
  // This message ended the job before, but the response was lost.
  if (job === null || job.endedAt !== null) {
    if (isRepeated) return false;
    throw jobOver();
  }
  if (isRepeated) return true;
  const next = job.messageSequence + 1;
  throw new JobError("OUT_OF_ORDER", `The next message must have the sequence ${next}, not ${sequence}.`);
}

/** Makes the step of a message; returns whether the job continues. */
async function step(tx: Transaction, deps: Deps, locked: LockedRun, job: JobRow, message: Progress): Promise<boolean> {
  const details: ChangeDetails = { actorId: SYSTEM_ACTOR_ID, runnerId: job.runnerId };
  const stopping = locked.run.cancelRequest !== null;
  await keepDiagnostics(tx, { runId: locked.run.id, jobId: job.id, planVersion: null }, diagnosticsOf(message));
  switch (message.type) {
    case "restored":
      // A skipped apply runs no hooks.
      if (locked.skipApplying === true) return change(tx, deps, locked, job, { type: "skipApply" }, details);
      return change(tx, deps, locked, job, { type: "restored" }, details);
    case "prepared":
      // An apply that needs no approval: the run has been APPLYING since the plan was reported.
      if (STATUS_TRAITS[locked.run.status].changesInfrastructure && job.messageSequence === 0) return true;
      if (!isApplyLeg(job.leg)) return change(tx, deps, locked, job, { type: "prepared" }, details);
      // The variable was set since the claim, while the runner fetched its input.
      if (locked.skipApplying === true) return change(tx, deps, locked, job, { type: "skipApply" }, details);
      details.set = { applyingAt: deps.clock().toISOString() };
      return change(tx, deps, locked, job, { type: "prepared" }, details);
    case "testing":
    case "tested":
    case "scanned":
      if (stopping && message.type === "testing") return stop(tx, deps, locked, job, details);
      await noteFinding(tx, deps, locked, job, message);
      return true;
    case "initialized":
      // A task that was asked to stop must not start, because a running task may be forbidden to stop.
      if (stopping && job.leg === "TASK") return stop(tx, deps, locked, job, details);
      // A person may have written the state since the claim; the approval was for replacing the earlier one.
      if (locked.rollback !== null) {
        const stale = endIfStale(locked);
        if (stale !== null) return change(tx, deps, locked, job, stale.command, { ...details, ...stale.details });
      }
      await noteModuleFolders(tx, locked.run.id, message.moduleFolders ?? [], deps.clock().toISOString());
      return change(tx, deps, locked, job, { type: "initialized" }, details);
    case "planned":
      // The plan was finished before the request to stop arrived; the request takes precedence.
      if (stopping) return stop(tx, deps, locked, job, details);
      return plan(tx, deps, locked, job, message.plan, details);
    case "applied":
      await keepChecks(tx, locked.run, { afterApply: true }, message.checks);
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
      // No other runner can continue an apply: the runner that began must report how it ended.
      if (!isUntouched(locked.run.status)) throw new JobError("OUT_OF_ORDER", `The run is ${locked.run.status}.`);
      if (stopping) return stop(tx, deps, locked, job, details);
      // Another attempt would only exceed the limit again.
      if (locked.run.expired !== null) return timeOut(tx, deps, locked, job, details, null);
      details.reason = "The runner is shutting down.";
      details.set = { attempt: locked.run.attempt - 1 };
      return change(tx, deps, locked, job, { type: "leaseLost", handedBack: true }, details);
  }
}

/** Ends a run that exceeded a limit, after its runner was notified. */
async function timeOut(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  job: JobRow,
  details: ChangeDetails,
  report: FailureReport | null,
): Promise<boolean> {
  const { expired } = locked.run;
  if (expired === null) throw new JobError("OUT_OF_ORDER", "The run has not exceeded a limit.");
  const failure = await timeoutFailure(tx, locked, expired.limit, report);
  return change(tx, deps, locked, job, { type: "timeout" }, { ...details, reason: failure.summary, set: { failure } });
}

/** Whether the run cannot have changed infrastructure yet. */
function isUntouched(status: RunStatus): boolean {
  return !STATUS_TRAITS[status].changesInfrastructure;
}

/** Ends a run at a requested stop. If it may have changed infrastructure, its failure states how far it got. */
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
  // The workspace may have forbidden interrupts in the meantime; the engine was interrupted nevertheless.
  const forbidden = run.cancelRequest !== null && !decide(machineInput(locked), { type: "stopped" }).accepted;
  if (forbidden && !isUntouched(run.status)) return change(tx, deps, locked, job, { type: "fail" }, details);
  const by = { actorId: run.cancelRequest?.actorId ?? details.actorId, reason: run.reason };
  return change(tx, deps, locked, job, { type: "stopped" }, { ...details, ...by });
}

/** Ends a TASK or an UNLOCK. An UNLOCK removes the locks in this transaction, so that it is never done in part. */
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
  const summary = await describeExecutingRun(tx, held?.runId ?? null);
  details.set = { failure: toFailure({ code: "STATE_LOCK_HELD", summary, message: summary, evidence: [] }, false) };
  return change(tx, deps, locked, job, { type: "fail" }, details);
}

/** Applies a command to the run. Ends the lease unless a runner stays busy. Returns whether the job continues. */
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
    // The apply gets its own lease and token, because the plan's token may not write the state.
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

/** Whether a replan failed because one of its addresses matched nothing. */
function isAddressMissed({ leg, status }: Run, { code }: FailureReport): boolean {
  return code === "TARGET_NOT_FOUND" && leg === "REPLAN" && STATUS_TRAITS[status].planning;
}

/** Lets a run keep its previous plan after a replan that failed. */
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
  if (job.archiveBlobId === null)
    throw new JobError("MALFORMED", "The plan has no archive. Send the archive before the plan.");
  if (!STATUS_TRAITS[run.status].planning) throw new JobError("OUT_OF_ORDER", `The run is ${run.status}.`);
  const less = understated(content);
  if (less !== null)
    throw new JobError("MALFORMED", `The plan lists more changes of the action ${less} than its counts state.`);
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
  await keepDiagnostics(tx, { runId: run.id, jobId: job.id, planVersion: version }, content.diagnostics);
  await keepChecks(tx, { ...run, planVersion: version }, { afterApply: false }, content.checks);
  await takeDocument(tx, job.id, stored);
  await orderPlanJudgement(tx, deps, locked, stored);
  const stages = await decideStages(tx, locked, stored);
  await insertRunStages(tx, { runId: run.id, planVersion: version, after: 0 }, stages);
  const staged = stages.length !== run.stageCount && { stageCount: stages.length };
  const unjudged = await unjudgedPlan(tx, run);
  const set = { planVersion: version, ...unjudged, ...staged };
  const events = [{ type: "PLAN_READY", planId: stored.id } as const];
  const command: RunCommand = {
    type: "planned",
    plan: machinePlan(stored, run),
    warnings: unjudged.policyWarnings,
  };
  const goOn = await change(tx, deps, { ...locked, plan: stored, stages }, job, command, { ...details, set, events });
  // The state moved before the plan arrived: it could not be approved at the gate.
  const { id, stateSerial } = locked.workspace;
  if (stored.stateSerial < stateSerial) await discardStale(tx, deps, id, stateSerial);
  return goOn;
}
