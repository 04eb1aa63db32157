/** External checks: services that judge runs, by the protocol of HCP's run tasks. */
import { instantAfter } from "../kit/instant-after.ts";
import { isTerminal, isVerifying, type RunStatus, STATUS_OF, STATUS_TRAITS } from "../lifecycle/run-status.ts";
import {
  ENFORCEMENT_LEVELS,
  type EnforcementLevel,
  type PolicyErrorMode,
  type PolicySelector,
} from "../policy/policy-set.ts";

/** The moment of a run at which a check is asked. */
export const CHECK_STAGES = ["PRE_PLAN", "POST_PLAN", "PRE_APPLY", "POST_APPLY"] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** The stages at which there is a plan whose cost still decides something. */
export const COST_STAGES: readonly CheckStage[] = ["POST_PLAN", "PRE_APPLY"];

/**
 * PENDING: the service has not accepted the request yet. RUNNING: it has. ERRORED: it did not accept any request.
 * TIMED_OUT: it accepted, and then reported nothing within a limit. CANCELED: the result is of no use any more.
 */
export const CHECK_STATUSES = ["PENDING", "RUNNING", "PASSED", "FAILED", "ERRORED", "TIMED_OUT", "CANCELED"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A check without its key. */
export interface ExternalCheck {
  id: string;
  organizationId: string;
  name: string;
  /** May contain a token: shown only to callers who may change the check, and never logged. */
  url: string;
  /** Whether requests are signed. */
  signed: boolean;
  /** The pool whose runners send the requests; `null`: the server does. */
  viaPoolId: string | null;
  stages: readonly CheckStage[];
  level: EnforcementLevel;
  /** The result that its silence counts as. */
  onError: PolicyErrorMode;
  /** Whether policies wait for its estimate of the cost of a plan. */
  estimatesCost: boolean;
  selector: PolicySelector;
  /** The longest time without a report, and for all. */
  progressSeconds: number;
  totalSeconds: number;
  enabled: boolean;
  createdById: string;
  createdAt: string;
}

export const TAG_LEVELS = ["none", "info", "warning", "error"] as const;
export type TagLevel = (typeof TAG_LEVELS)[number];

/** Labels of an outcome under one heading. */
export interface OutcomeTag {
  name: string;
  labels: { label: string; level: TagLevel }[];
}

/** A detail of a result, as the service sent it: untrusted text. */
export interface CheckOutcome {
  outcomeId: string;
  description: string;
  /** Markdown. */
  body: string | null;
  url: string | null;
  tags: OutcomeTag[];
}

/** The answer of a check about one stage of a run, without its outcomes. */
export interface ExternalCheckResult {
  id: string;
  checkId: string;
  runId: string;
  stage: CheckStage;
  /** 0 before the first plan. */
  planVersion: number;
  /** Those of the check when the result was created, as are the limits. */
  level: EnforcementLevel;
  onError: PolicyErrorMode;
  /** Whether policies wait for its estimate of the cost of the plan; never at other stages than those of {@link COST_STAGES}. */
  estimatesCost: boolean;
  progressSeconds: number;
  totalSeconds: number;
  status: CheckStatus;
  message: string | null;
  url: string | null;
  /** Counts requests of people to try again, from 1. */
  round: number;
  /** The requests of the round, and the failure of the last one. */
  attempts: number;
  attemptError: string | null;
  createdAt: string;
  /** When the round began. */
  beganAt: string;
  acceptedAt: string | null;
  progressedAt: string | null;
  finishedAt: string | null;
  /** The next request, or the limit that is exceeded next; `null` once it has ended. */
  dueAt: string | null;
}

/** Whether a result can still change. */
export function isOpen({ status }: Pick<ExternalCheckResult, "status">): boolean {
  return status === "PENDING" || status === "RUNNING";
}

/** Whether the service has ended a result by its own answer. */
export function isAnswered({ status }: Pick<ExternalCheckResult, "status">): boolean {
  return status === "PASSED" || status === "FAILED";
}

/** Returns the instant at which a round ends at the latest. */
export function totalLimitOf({ beganAt, totalSeconds }: Pick<ExternalCheckResult, "beganAt" | "totalSeconds">): string {
  return instantAfter(beganAt, totalSeconds * 1000);
}

/** Returns the limit that a service exceeds next, after it has accepted or reported. */
export function limitOf(
  result: Pick<ExternalCheckResult, "beganAt" | "progressSeconds" | "totalSeconds">,
  lastAt: string,
): string {
  const progress = instantAfter(lastAt, result.progressSeconds * 1000);
  const total = totalLimitOf(result);
  return progress < total ? progress : total;
}

/** Describes the limit that was exceeded at an instant. */
export function exceededText(
  result: Pick<ExternalCheckResult, "beganAt" | "progressSeconds" | "totalSeconds">,
  at: string,
): string {
  return at >= totalLimitOf(result)
    ? `The check did not end within ${result.totalSeconds} s.`
    : `The check reported nothing for ${result.progressSeconds} s.`;
}

/**
 * Returns the level of the failure that a result counts as; `null` if it counts as none, or is still open. Silence never
 * counts as more than the check's own failure would.
 */
export function failureLevel({
  status,
  level,
  onError,
}: Pick<ExternalCheckResult, "status" | "level" | "onError">): EnforcementLevel | null {
  switch (status) {
    case "PENDING":
    case "RUNNING":
    case "PASSED":
    case "CANCELED":
      return null;
    case "FAILED":
      return level;
    case "ERRORED":
    case "TIMED_OUT":
      return weaker(level, LEVEL_OF_SILENCE[onError]);
  }
}

const LEVEL_OF_SILENCE = {
  FAIL_CLOSED: "MANDATORY",
  ASK: "SOFT_MANDATORY",
  FAIL_OPEN: "ADVISORY",
} as const satisfies Record<PolicyErrorMode, EnforcementLevel>;

function weaker(one: EnforcementLevel, other: EnforcementLevel): EnforcementLevel {
  return ENFORCEMENT_LEVELS.indexOf(one) < ENFORCEMENT_LEVELS.indexOf(other) ? one : other;
}

/** Whether a run is where its checks of a stage are asked. */
export function isAtStage(
  run: { status: RunStatus; planVersion: number },
  { stage, planVersion }: Pick<ExternalCheckResult, "stage" | "planVersion">,
): boolean {
  if (run.planVersion !== planVersion) return false;
  switch (stage) {
    case "PRE_PLAN":
      return STATUS_TRAITS[run.status].queued;
    case "POST_PLAN":
      return run.status === "POLICY_CHECKING";
    case "PRE_APPLY":
      return run.status === STATUS_OF.approval;
    case "POST_APPLY":
      return isTerminal(run.status) || isVerifying(run.status);
  }
}
