/** Where a run is: 13 live statuses, then 8 terminal ones. */
export const RUN_STATUSES = [
  "QUEUED",
  "READY",
  "PREPARING",
  "INITIALIZING",
  "PLANNING",
  "POLICY_CHECKING",
  "AWAITING_PLAN_APPROVAL",
  "AWAITING_APPLY_APPROVAL",
  "REPLAN_REQUESTED",
  "CONFIRMED",
  "APPLYING",
  "VERIFYING",
  "PERFORMING",
  "FINISHED",
  "FAILED",
  "TIMED_OUT",
  "REJECTED",
  "DISCARDED",
  "CANCELED",
  "STOPPED",
  "SKIPPED",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const REQUIRED_ACTIONS = [
  "WAIT",
  "REVIEW_PLAN",
  "CONFIRM_APPLY",
  "OVERRIDE_POLICY",
  "RELEASE_LOCK",
  "FIX_AND_RERUN",
  "NONE",
] as const;
export type RequiredAction = (typeof REQUIRED_ACTIONS)[number];

interface StatusFacts {
  terminal: boolean;
  /** A runner works on the run (or, for VERIFYING, may). */
  runnerBusy: boolean;
  /** Waits for a person's decision about a plan or a command. */
  gate: boolean;
  /** Waits to be claimed by a runner. */
  claimable: boolean;
  requiredAction: RequiredAction;
  meaning: string;
}

const waiting = { terminal: false, runnerBusy: false, gate: false, claimable: false, requiredAction: "WAIT" } as const;
const claimable = { ...waiting, claimable: true } as const;
const executing = { ...waiting, runnerBusy: true } as const;
const ended = { ...waiting, terminal: true } as const;

export const STATUS_FACTS = {
  QUEUED: { ...waiting, meaning: "Accepted, not eligible yet; the blockers say why." },
  READY: { ...claimable, meaning: "Eligible, waits for a runner." },
  PREPARING: { ...executing, meaning: "Claimed under a lease; the workspace is fetched or restored." },
  INITIALIZING: { ...executing, meaning: "The engine initialises." },
  PLANNING: { ...executing, meaning: "The plan is being made." },
  POLICY_CHECKING: { ...waiting, meaning: "Policies and external checks judge the plan." },
  AWAITING_PLAN_APPROVAL: {
    ...waiting,
    gate: true,
    requiredAction: "REVIEW_PLAN",
    meaning: "The plan gate: is this plan acceptable?",
  },
  AWAITING_APPLY_APPROVAL: {
    ...waiting,
    gate: true,
    requiredAction: "CONFIRM_APPLY",
    meaning: "The apply gate: start it now?",
  },
  REPLAN_REQUESTED: { ...claimable, meaning: "A new plan was asked for, waits for a runner." },
  CONFIRMED: { ...claimable, meaning: "Approved, waits for a runner; can no longer be cancelled." },
  APPLYING: { ...executing, meaning: "The approved plan is being applied." },
  VERIFYING: { ...executing, meaning: "Probes check the result of the apply." },
  PERFORMING: { ...executing, meaning: "A task or an unlock is at work." },
  FINISHED: { ...ended, requiredAction: "NONE", meaning: "Ended well; the outcome says how." },
  FAILED: {
    ...ended,
    requiredAction: "FIX_AND_RERUN",
    meaning: "Ended badly; the failure says why, the leg whether infrastructure may have changed.",
  },
  TIMED_OUT: { ...ended, requiredAction: "FIX_AND_RERUN", meaning: "A limit of run time or silence was exceeded." },
  REJECTED: {
    ...ended,
    requiredAction: "FIX_AND_RERUN",
    meaning: "Refused at the plan gate by a policy, a reviewer or a time-out.",
  },
  DISCARDED: { ...ended, requiredAction: "NONE", meaning: "The plan is not wanted, is stale, or was superseded." },
  CANCELED: { ...ended, requiredAction: "NONE", meaning: "Ended while no runner had it." },
  STOPPED: { ...ended, requiredAction: "NONE", meaning: "Interrupted while executing; `forced` tells how." },
  SKIPPED: { ...ended, requiredAction: "NONE", meaning: "Nothing to do here." },
} as const satisfies Record<RunStatus, StatusFacts>;

export type TerminalStatus = {
  [S in RunStatus]: (typeof STATUS_FACTS)[S]["terminal"] extends true ? S : never;
}[RunStatus];

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return STATUS_FACTS[status].terminal;
}

export const LIVE_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((status) => !isTerminal(status));
export const CLAIMABLE_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((s) => STATUS_FACTS[s].claimable);
export const GATE_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((s) => STATUS_FACTS[s].gate);
