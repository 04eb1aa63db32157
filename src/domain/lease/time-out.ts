/** Ends runs that exceeded a limit while a runner had them. */
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { type Failure, type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import { isApplyLeg, type RunLeg } from "../../model/lifecycle/run-kind.ts";
import type { RunLimits } from "../../model/approval/run-rules.ts";
import type { ExceededLimit } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { endLiveJob, type JobRow } from "../../persistence/dispatch/job-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/locked-run.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";
import { stageOf } from "../../model/lifecycle/failure-stage.ts";
import { lastLogLines } from "./last-log-lines.ts";
import { settleLocks } from "./settle-locks.ts";

const CODES = { RUN: "RUN_TIMED_OUT", SILENCE: "SILENCE_TIMED_OUT" } as const satisfies Record<ExceededLimit, string>;

/**
 * Builds the failure of a run that exceeded a limit. Keeps the runner's report, except for its code. `report` is `null`
 * if the runner did not answer; an apply is then uncertain.
 */
export async function timeoutFailure(
  tx: Transaction,
  { run, rules }: LockedRun,
  limit: ExceededLimit,
  report: FailureReport | null,
): Promise<Failure> {
  // An UNLOCK changes everything or nothing, with its last message.
  const applying = STATUS_TRAITS[run.status].changesInfrastructure && run.kind !== "UNLOCK";
  const summary = exceeded(limit, run.leg, rules.limits);
  const own = { code: CODES[limit], stage: stageOf(run.status), summary };
  if (report !== null) return toFailure({ ...report, ...own }, applying);
  const message = applying
    ? "The runner did not report how the run ended while it changed infrastructure. Its result is not known: check the infrastructure, then unlock the workspace with force."
    : "The runner did not report how the run ended. Nothing was applied.";
  const evidence = await lastLogLines(tx, run.id);
  return toFailure({ ...own, message: `${summary} ${message}`, evidence, stateUncertain: applying }, applying);
}

function exceeded(limit: ExceededLimit, leg: RunLeg, { planMs, applyMs, silenceMs }: RunLimits): string {
  if (limit === "SILENCE")
    return `The engine wrote no output for ${duration(silenceMs)}, the limit \`silenceSeconds\`.`;
  const [legMs, field] = leg === "PLAN" || leg === "REPLAN" ? [planMs, "planSeconds"] : [applyMs, "applySeconds"];
  return `The leg ${leg} took longer than ${duration(legMs)}, the limit \`${field}\`.`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
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

/** Ends a run TIMED_OUT that exceeded its limit on the server: while its plan is judged or its apply verified. */
export async function endServerWork(tx: Transaction, deps: Deps, locked: LockedRun): Promise<void> {
  const { run, rules } = locked;
  const { planMs, applyMs } = rules.limits;
  const summary =
    STATUS_TRAITS[run.status].deadline === "JUDGING"
      ? `The plan was not judged within ${duration(planMs)}, the limit \`planSeconds\`.`
      : `The result of the apply was not verified within ${duration(applyMs)}, the limit \`applySeconds\`.`;
  const message = isApplyLeg(run.leg) ? `${summary} The apply itself succeeded.` : `${summary} Nothing was applied.`;
  const report = {
    code: "RUN_TIMED_OUT",
    stage: stageOf(run.status),
    summary,
    message,
    evidence: [],
  } satisfies FailureReport;
  await applyTransition(tx, deps, locked, mustAccept(locked, { type: "timeout" }), {
    actorId: SYSTEM_ACTOR_ID,
    reason: summary,
    set: { failure: toFailure(report, false) },
  });
}
