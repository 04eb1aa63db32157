/** The statuses of a run: the live ones, then the terminal ones. */
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
  "JUDGE_VERIFICATION",
  "RELEASE_LOCK",
  "FIX_AND_RERUN",
  "NONE",
] as const;
export type RequiredAction = (typeof REQUIRED_ACTIONS)[number];

/**
 * The deadline of a status: the queue limit, the limit of a gate, the limits of a runner's work (run time and silence), or a limit
 * of the server's own work, counted from the change of status. A status without a deadline gives the reason.
 */
export type StatusDeadline = "QUEUE" | "APPROVAL" | "WORK" | "JUDGING" | "VERIFYING" | { noneBecause: string };

interface StatusTraits {
  terminal: boolean;
  /** Waits until the scheduler admits it to its workspace. */
  queued: boolean;
  /** Waits to be claimed by a runner. */
  claimable: boolean;
  /** Its plan or command is approved, and no runner has it yet: an approver can take it back. */
  approved: boolean;
  /** A runner works on the run, under a lease. */
  runnerBusy: boolean;
  /** Claimed a moment ago: the runner prepares, and the engine has not started. */
  claimed: boolean;
  /** The engine makes a plan. */
  planning: boolean;
  /** The next step may follow from the plan without a person. */
  decidesPlan: boolean;
  /** Infrastructure may change, so a lost or stopped runner leaves it uncertain. */
  changesInfrastructure: boolean;
  /** The gate at which it waits for a person's decision. */
  gate: "PLAN" | "APPLY" | null;
  /** How a terminal status ended the run. `BADLY`: it counts as a failure in statistics. */
  end: "WELL" | "BADLY" | "STOPPED" | "UNWANTED" | null;
  /** `null` for terminal statuses. */
  deadline: StatusDeadline | null;
  requiredAction: RequiredAction;
  meaning: string;
}

const base = {
  terminal: false,
  queued: false,
  claimable: false,
  approved: false,
  runnerBusy: false,
  claimed: false,
  planning: false,
  decidesPlan: false,
  changesInfrastructure: false,
  gate: null,
  end: null,
  deadline: "QUEUE",
  requiredAction: "WAIT",
} as const;
const claimable = { ...base, claimable: true } as const;
const executing = { ...base, runnerBusy: true, deadline: "WORK" } as const;
const gate = { ...base, deadline: "APPROVAL" } as const;
const ended = { ...base, terminal: true, deadline: null, requiredAction: "NONE" } as const;
const endedBadly = { ...ended, end: "BADLY", requiredAction: "FIX_AND_RERUN" } as const;

/** The traits of each status. All code reads statuses here, so that a new status is one entry. */
export const STATUS_TRAITS = {
  QUEUED: { ...base, queued: true, meaning: "Accepted, not eligible yet; the blockers give the reasons." },
  READY: { ...claimable, meaning: "Eligible, waits for a runner." },
  PREPARING: { ...executing, claimed: true, meaning: "Claimed under a lease; the workspace is fetched or restored." },
  INITIALIZING: { ...executing, meaning: "The engine initialises, and hooks before the plan or apply are executed." },
  PLANNING: { ...executing, planning: true, decidesPlan: true, meaning: "The plan is being made." },
  POLICY_CHECKING: {
    ...base,
    decidesPlan: true,
    deadline: "JUDGING",
    meaning: "Policies and external checks judge the plan.",
  },
  AWAITING_PLAN_APPROVAL: {
    ...gate,
    gate: "PLAN",
    requiredAction: "REVIEW_PLAN",
    meaning: "The plan gate: is this plan acceptable?",
  },
  AWAITING_APPLY_APPROVAL: {
    ...gate,
    gate: "APPLY",
    requiredAction: "CONFIRM_APPLY",
    meaning: "The apply gate: start it now?",
  },
  REPLAN_REQUESTED: { ...claimable, meaning: "A new plan was requested; waits for a runner." },
  CONFIRMED: {
    ...claimable,
    approved: true,
    deadline: { noneBecause: "An approval does not expire: it waits for its time, a freeze window or a runner." },
    meaning: "Approved, waits for a runner. An approver can take it back; it can no longer be cancelled.",
  },
  APPLYING: { ...executing, changesInfrastructure: true, meaning: "The approved plan is being applied." },
  VERIFYING: { ...base, deadline: "VERIFYING", meaning: "Probes check the result of the apply." },
  PERFORMING: { ...executing, changesInfrastructure: true, meaning: "A task or an unlock is executed." },
  FINISHED: { ...ended, end: "WELL", meaning: "Succeeded; see the outcome." },
  FAILED: {
    ...endedBadly,
    meaning: "Failed; see the failure. The leg shows whether infrastructure may have changed.",
  },
  TIMED_OUT: { ...endedBadly, meaning: "A limit of run time or silence was exceeded." },
  REJECTED: {
    ...ended,
    end: "UNWANTED",
    requiredAction: "FIX_AND_RERUN",
    meaning: "Refused by a policy or a check, or at the plan gate by a reviewer or a time-out.",
  },
  DISCARDED: { ...ended, end: "UNWANTED", meaning: "The plan is not wanted, is stale, or was superseded." },
  CANCELED: { ...ended, end: "UNWANTED", meaning: "Ended while no runner had it." },
  STOPPED: { ...ended, end: "STOPPED", meaning: "Interrupted while executing; `forced`: its runner was fenced." },
  SKIPPED: { ...ended, end: "WELL", meaning: "Nothing to do here." },
} as const satisfies Record<RunStatus, StatusTraits>;

export type TerminalStatus = {
  [S in RunStatus]: (typeof STATUS_TRAITS)[S]["terminal"] extends true ? S : never;
}[RunStatus];

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return STATUS_TRAITS[status].terminal;
}

/** Whether the apply of a run is verified: probes and external checks decide, and no runner has it. */
export function isVerifying(status: RunStatus): boolean {
  return STATUS_TRAITS[status].deadline === "VERIFYING";
}

export const LIVE_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((status) => !isTerminal(status));
export const CLAIMABLE_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((s) => STATUS_TRAITS[s].claimable);
export const GATE_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((s) => STATUS_TRAITS[s].gate !== null);
/** Statuses of a live run that changes what it manages, or has just changed it. */
export const CHANGING_STATUSES: readonly RunStatus[] = LIVE_STATUSES.filter(
  (status) => STATUS_TRAITS[status].changesInfrastructure || isVerifying(status),
);
export const FAILED_STATUSES: readonly RunStatus[] = RUN_STATUSES.filter((s) => STATUS_TRAITS[s].end === "BADLY");

/** Statuses by their purpose, for queries and for code that sets a status. */
export const STATUS_OF = {
  creation: "QUEUED",
  skippedCreation: "SKIPPED",
  admission: "READY",
  replan: "REPLAN_REQUESTED",
  judgement: "POLICY_CHECKING",
  approval: "CONFIRMED",
} as const satisfies Record<string, RunStatus>;
