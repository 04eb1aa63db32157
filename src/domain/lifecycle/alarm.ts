import { checkDeadlines, type TimedRun, type DeadlineInput } from "../../model/run/deadlines.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import { isTerminal, STATUS_OF, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { RunChanges } from "../../persistence/run/run-change-store.ts";
import { nextFreeze } from "../rules/freeze.ts";
import type { WorkspaceContext } from "./machine-input.ts";

/**
 * Returns the time fields that follow from a change of status: the next alarm, and the cleared escalation and expiry.
 * While a runner stays on one leg the alarm is kept: the latest output is read when it rings.
 */
export function timeAfter(
  run: Run,
  set: RunChanges & { status: { to: Run["status"]; at: string } },
  context: WorkspaceContext,
): Pick<RunChanges, "alarmAt" | "escalatedAt" | "expired"> {
  const { to: status, at } = set.status;
  const { leg = run.leg, scheduledAt = run.scheduledAt, applyAt = run.applyAt } = set;
  const escalation = run.escalatedAt === null ? {} : { escalatedAt: null };
  if (isTerminal(status)) return { ...escalation, alarmAt: null };
  const busy = STATUS_TRAITS[status].runnerBusy;
  if (busy && STATUS_TRAITS[run.status].runnerBusy && leg === run.leg) return {};
  const after = { ...run, status, statusAt: at, leg, scheduledAt, applyAt, escalatedAt: null, expired: null };
  const work = busy ? { claimedAt: at, outputAt: null, reachableSince: null, graceMs: LIMITS.timeoutGraceMs } : null;
  const alarmAt = alarmOf(deadlineInput({ ...context, run: after }, work, new Date(at)), new Date(at));
  return { ...escalation, ...(run.expired !== null && { expired: null }), alarmAt };
}

/** Returns the first alarm of a run that is created now. */
export function firstAlarm(
  run: Pick<Run, "createdAt" | "scheduledAt"> & Partial<Pick<Run, "awaitsUpstream">>,
  context: WorkspaceContext,
): string | null {
  const queued = {
    ...run,
    status: STATUS_OF.creation,
    leg: "PLAN",
    startedAt: null,
    statusAt: run.createdAt,
    applyAt: null,
    escalatedAt: null,
    expired: null,
  } as const;
  const at = new Date(run.createdAt);
  return alarmOf(deadlineInput({ ...context, run: queued }, null, at), at);
}

/** Returns the next alarm of a run that no runner has. */
export function waitingAlarm(locked: WorkspaceContext & { run: Run }, at: Date): string | null {
  return alarmOf(deadlineInput(locked, null, at), at);
}

/** Returns `at` itself if something is due already, so that the next round handles it. */
function alarmOf(input: DeadlineInput, at: Date): string | null {
  const { due, next } = checkDeadlines(input, at.getTime());
  return due === null ? next : at.toISOString();
}

/** Collects the input of `checkDeadlines` for a run. */
export function deadlineInput(
  { run, rules, frozenUntil }: Pick<WorkspaceContext, "rules" | "frozenUntil"> & { run: TimedRun },
  work: DeadlineInput["work"],
  at: Date,
): DeadlineInput {
  const opens = STATUS_TRAITS[run.status].approved && frozenUntil === null;
  const freezesAt = opens ? nextFreeze(rules.freezeWindows, at) : null;
  return { run, limits: rules.limits, frozenUntil, freezesAt, work };
}
