/** The effect of time on a run: the limit that it has exceeded, and the time of the next check. */
import type { Gate } from "../approval/approval.ts";
import type { ApprovalTimeoutAction, RunLimits } from "../approval/run-rules.ts";
import type { ExceededLimit, Run } from "./run.ts";
import { STATUS_OF, STATUS_TRAITS } from "../lifecycle/run-status.ts";
import { VERIFICATION_LIMITS } from "../workspace/verification-limits.ts";

export type TimedRun = Pick<
  Run,
  "status" | "leg" | "createdAt" | "startedAt" | "statusAt" | "scheduledAt" | "applyAt" | "escalatedAt" | "expired"
> &
  Partial<Pick<Run, "awaitsUpstream" | "releasedAt">>;

export interface DeadlineInput {
  run: TimedRun;
  limits: RunLimits;
  /** Until when nothing may be applied; `null` if no freeze window is open. */
  frozenUntil: string | null;
  /** When the next window opens; `null` if none does, or one is open. */
  freezesAt: string | null;
  /** When the last of the external checks that judge the run has ended; absent or `null` if none does. */
  checkedUntil?: string | null;
  /** The job of the run; `null` if no runner has it. */
  work: {
    claimedAt: string;
    /** When a line of output was last accepted; `null` if never. */
    outputAt: string | null;
    /** Since when runners could reach a server; `null` if always. Earlier silence does not count. */
    reachableSince: string | null;
    /** How long a runner may take to end its work after it was asked to. */
    graceMs: number;
  } | null;
}

/** GIVE_UP: the runner was asked to end its work and did not answer. */
export type Due =
  | { type: "QUEUE_TIMEOUT" }
  | { type: "APPROVAL_TIMEOUT"; gate: Gate; action: ApprovalTimeoutAction }
  | { type: "EXPIRE"; limit: ExceededLimit }
  | { type: "GIVE_UP" };

export interface DeadlineCheck {
  /** The action that is due now. */
  due: Due | null;
  /** When to check again, later than now; `null` if never. */
  next: string | null;
}

interface Deadline {
  atMs: number;
  /** `null`: nothing is due, but waiting runs may continue. */
  due: Due | null;
}

export function checkDeadlines(input: DeadlineInput, atMs: number): DeadlineCheck {
  const all = STATUS_TRAITS[input.run.status].runnerBusy ? workDeadlines(input, atMs) : waitDeadlines(input);
  const passed = all.filter((deadline) => deadline.atMs <= atMs && deadline.due !== null);
  const due = passed.reduce<Deadline | null>(
    (first, one) => (first === null || one.atMs < first.atMs ? one : first),
    null,
  );
  const nextMs = Math.min(...all.filter((deadline) => deadline.atMs > atMs).map((deadline) => deadline.atMs));
  return { due: due?.due ?? null, next: Number.isFinite(nextMs) ? new Date(nextMs).toISOString() : null };
}

/** Returns the latest of some instants, in milliseconds. */
function newest(first: string, ...others: (string | null)[]): number {
  return Math.max(...[first, ...others].flatMap((at) => (at === null ? [] : [Date.parse(at)])));
}

function waitDeadlines({ run, limits, frozenUntil, freezesAt, checkedUntil = null }: DeadlineInput): Deadline[] {
  const later = (at: string | null): Deadline[] => (at === null ? [] : [{ atMs: Date.parse(at), due: null }]);
  const { queued, approved, gate, deadline } = STATUS_TRAITS[run.status];
  if (approved) return [run.applyAt, frozenUntil, freezesAt].flatMap(later);
  // A held run needs no person: no limit of approvals ends it while the freeze window is open.
  if (gate === "APPLY" && run.applyAt !== null) return later(frozenUntil);
  if (gate !== null) return gateDeadline(run, gate, limits);
  if (deadline === "JUDGING") return notBefore(checkedUntil, serverDeadline(run, limits.planMs));
  if (deadline === "VERIFYING") return serverDeadline(run, VERIFICATION_LIMITS.totalMs);
  if (deadline !== "QUEUE") return [];
  return [...(queued ? later(run.scheduledAt) : []), ...notBefore(checkedUntil, queueDeadline(run, limits))];
}

/** A check has its own limit, which may be longer: the run is not ended while that lasts. */
function notBefore(checkedUntil: string | null, deadlines: Deadline[]): Deadline[] {
  if (checkedUntil === null) return deadlines;
  return deadlines.map((deadline) => ({ ...deadline, atMs: Math.max(deadline.atMs, Date.parse(checkedUntil)) }));
}

/** Work of the server has a limit that counts from the change of status. */
function serverDeadline({ statusAt }: TimedRun, limitMs: number): Deadline[] {
  return [{ atMs: Date.parse(statusAt) + limitMs, due: { type: "GIVE_UP" } }];
}

/** Counts from the earliest possible start. A run that lost its runner waits again. */
function queueDeadline(run: TimedRun, { queueMs }: RunLimits): Deadline[] {
  // How long a run upstream takes does not count.
  if (queueMs === null || run.awaitsUpstream === true) return [];
  const first = run.startedAt === null && run.status !== STATUS_OF.replan;
  const since = first ? newest(run.createdAt, run.scheduledAt, run.releasedAt ?? null) : Date.parse(run.statusAt);
  return [{ atMs: since + queueMs, due: { type: "QUEUE_TIMEOUT" } }];
}

function gateDeadline(run: TimedRun, gate: Gate, limits: RunLimits): Deadline[] {
  const limitMs = gate === "PLAN" ? limits.planApprovalMs : limits.applyApprovalMs;
  const action = limits.approvalTimeoutAction;
  if (limitMs === null || (action === "ESCALATE" && run.escalatedAt !== null)) return [];
  return [{ atMs: Date.parse(run.statusAt) + limitMs, due: { type: "APPROVAL_TIMEOUT", gate, action } }];
}

function workDeadlines({ run, limits, work }: DeadlineInput, atMs: number): Deadline[] {
  if (work === null) return [];
  const { claimedAt, outputAt, reachableSince, graceMs } = work;
  // A runner that could not reach a server gets one more lease: its work may be done.
  const reachableMs = reachableSince === null ? 0 : Date.parse(reachableSince) + limits.leaseMs;
  if (atMs < reachableMs) return [{ atMs: reachableMs, due: null }];
  if (run.expired !== null)
    return [{ atMs: newest(run.expired.at, reachableSince) + graceMs, due: { type: "GIVE_UP" } }];
  const legMs = run.leg === "PLAN" || run.leg === "REPLAN" ? limits.planMs : limits.applyMs;
  return [
    { atMs: Date.parse(claimedAt) + legMs, due: { type: "EXPIRE", limit: "RUN" } },
    { atMs: newest(claimedAt, outputAt, reachableSince) + limits.silenceMs, due: { type: "EXPIRE", limit: "SILENCE" } },
  ];
}
