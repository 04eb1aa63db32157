/** Builds the failures of runs that exceeded a limit. */
import type { Gate } from "../../model/approval/approval.ts";
import type { RunLimits } from "../../model/approval/run-rules.ts";
import { type Failure, type FailureReport, toFailure } from "../../model/lifecycle/failure.ts";
import { stageOf } from "../../model/lifecycle/failure-stage.ts";
import type { RunLeg } from "../../model/lifecycle/run-kind.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { ExceededLimit, Run } from "../../model/run/run.ts";
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";

interface LimitedRun {
  run: Pick<Run, "kind" | "status" | "leg">;
  rules: { limits: RunLimits };
}

const CODES = { RUN: "RUN_TIMED_OUT", SILENCE: "SILENCE_TIMED_OUT" } as const satisfies Record<ExceededLimit, string>;

/** Returns the failure of a run whose runner ended its work when it was asked to. Keeps its report, but for the code. */
export function reportedFailure({ run, rules }: LimitedRun, limit: ExceededLimit, report: FailureReport): Failure {
  return toFailure({ ...report, ...exceeded(run, rules.limits, limit) }, isApplying(run));
}

/**
 * Returns the failure of a run whose runner did not answer. An apply is then uncertain. `evidence`: the last lines of
 * its log.
 */
export function unansweredFailure({ run, rules }: LimitedRun, limit: ExceededLimit, evidence: string[]): Failure {
  const applying = isApplying(run);
  const own = exceeded(run, rules.limits, limit);
  const message = applying
    ? "The runner did not report how the run ended while it changed infrastructure. Its result is not known: check the infrastructure, then unlock the workspace with force."
    : "The runner did not report how the run ended. Nothing was applied.";
  const report = { ...own, message: `${own.summary} ${message}`, evidence, stateUncertain: applying };
  return toFailure(report, applying);
}

/** Returns the failure of a run whose plan was not judged in time. */
export function judgementFailure({ run, rules }: LimitedRun): Failure {
  const summary = `The plan was not judged within ${duration(rules.limits.planMs)}, the limit \`planSeconds\`.`;
  const message = `${summary} Nothing was applied.`;
  return toFailure({ code: "RUN_TIMED_OUT", stage: stageOf(run.status), summary, message, evidence: [] }, false);
}

/** Returns the failure of a run whose verification did not end in time. */
export function unverifiedFailure(): Failure {
  const summary = `The result of the apply was not verified within ${duration(VERIFICATION_LIMITS.totalMs)}.`;
  const message = `${summary} The apply itself succeeded.`;
  return toFailure({ code: "DEPLOYMENT_VERIFICATION_FAILED", summary, message, evidence: [] }, false);
}

/** Returns the failure of a run that waited in the queue for too long. */
export function queueFailure(): Failure {
  const summary = "The run waited in the queue for longer than the limit `queueSeconds`.";
  return toFailure({ code: "QUEUE_TIMED_OUT", summary, message: summary, evidence: [] }, false);
}

/** Returns the failure of a run about which no one decided in time. */
export function gateFailure(gate: Gate): Failure {
  const [name, limit] = gate === "PLAN" ? ["plan", "planApprovalSeconds"] : ["apply", "applyApprovalSeconds"];
  const summary = `No decision was made at the ${name} gate within the limit \`${limit}\`.`;
  return toFailure({ code: "APPROVAL_TIMED_OUT", summary, message: summary, evidence: [] }, false);
}

/** Whether infrastructure may have changed. An UNLOCK changes everything or nothing, with its last message. */
function isApplying({ status, kind }: LimitedRun["run"]): boolean {
  return STATUS_TRAITS[status].changesInfrastructure && kind !== "UNLOCK";
}

function exceeded({ status, leg }: LimitedRun["run"], limits: RunLimits, limit: ExceededLimit) {
  return { code: CODES[limit], stage: stageOf(status), summary: exceededSummary(limit, leg, limits) };
}

function exceededSummary(limit: ExceededLimit, leg: RunLeg, { planMs, applyMs, silenceMs }: RunLimits): string {
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
