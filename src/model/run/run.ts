import type { Failure } from "../lifecycle/failure.ts";
import type { RunKind, RunLeg, RunOutcome, RunTrigger } from "../lifecycle/run-kind.ts";
import type { AwaitedCheck, PassedJudgement } from "../policy/judge.ts";
import type { Phase } from "./phase.ts";
import type { RunCause } from "./run-cause.ts";
import { type RequiredAction, isVerifying, type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";

/** RUN: the time limit of the leg. SILENCE: the limit without a line of output. */
export const EXCEEDED_LIMITS = ["RUN", "SILENCE"] as const;
export type ExceededLimit = (typeof EXCEEDED_LIMITS)[number];

/** One change of a workspace, from its creation to its end. Instants are RFC 3339 with milliseconds and Z. */
export interface Run {
  id: string;
  organizationId: string;
  projectId: string;
  workspaceId: string;
  /** Counts up within the workspace, from 1. */
  number: number;
  kind: RunKind;
  status: RunStatus;
  leg: RunLeg;
  outcome: RunOutcome | null;
  trigger: RunTrigger;
  createdById: string;
  /** The run by whose token it was created; `null` if none was. */
  actingRunId: string | null;
  /** The people who requested that run, who count as its requesters too. */
  requestedByIds: readonly string[];
  /** The person who requested the newest plan as a replan; `null` if none did. */
  replannedById: string | null;
  message: string | null;
  /** The commit of a repository, or the digest of the archive. */
  revision: string | null;
  /** The page of that commit at its host, as of the creation; `null` if there is none. */
  commitUrl: string | null;
  targets: string[];
  replace: string[];
  /** The shell command of a TASK; `null` for other kinds. */
  command: string | null;
  /** Pairs of key and value by which the run can be found. */
  metadata: Record<string, string>;
  /** Higher values come first within a class. */
  priority: number;
  /** The earliest admission. */
  scheduledAt: string | null;
  /** The earliest claim of the apply, from an approval. At the apply gate: the end of a freeze window. */
  applyAt: string | null;
  /** When the system checks the run next; `null` if never. */
  alarmAt: string | null;
  /** The limit that was exceeded under a runner, and when the runner was asked to end its work. */
  expired: { limit: ExceededLimit; at: string } | null;
  /** Since when the run has exceeded the limit of its gate; `null` if it has not. */
  escalatedAt: string | null;
  /** The run only updates the state to external changes. */
  refreshOnly: boolean;
  /** The number of the newest event. */
  version: number;
  /** The version of the newest plan; 0 before the first one. For an APPLY, that of its PLAN run. */
  planVersion: number;
  /** The number of stages that were decided for that plan, beside those that rules always define. */
  stageCount: number;
  /** Counted attempts of the current leg. */
  attempt: number;
  cancelRequest: { actorId: string; at: string } | null;
  forced: boolean;
  holdsWorkspace: boolean;
  originId: string | null;
  /** The PLAN run whose plan an APPLY applies; `null` for other kinds. */
  planRunId: string | null;
  /** The changeset that it belongs to; `null` if there is none. */
  changesetId: string | null;
  /** `null` if a person or a machine user requested it. */
  cause: RunCause | null;
  /** Whether it waits for runs that come before it in its changeset. */
  awaitsUpstream: boolean;
  /** Since when it does not any more; `null` if it does, or never did. */
  releasedAt: string | null;
  /** The warnings of policies and checks about the newest plan that stop auto-apply. */
  policyWarnings: number;
  /** Policies or checks want its newest plan to be accepted by people. */
  policyAsks: boolean;
  /** The judgement that it waits for before its plan or its apply; `null` if it waits for none. */
  awaitedCheck: AwaitedCheck | null;
  /** The last judgement that let it pass; `null` if there was none. */
  judged: PassedJudgement | null;
  failure: Failure | null;
  reason: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  appliedAt: string | null;
  /** When the status was last changed. */
  statusAt: string;
}

/** The fields of a run in a list, unless more are selected. Reading whole runs took twice as long. */
export type RunSummary = Pick<
  Run,
  | "id"
  | "organizationId"
  | "projectId"
  | "workspaceId"
  | "number"
  | "kind"
  | "status"
  | "outcome"
  | "trigger"
  | "createdById"
  | "message"
  | "createdAt"
  | "startedAt"
  | "finishedAt"
>;

/** A run with its phases, in the order in which they began, as of one instant. */
export interface RunWithPhases extends RunSummary {
  phases: Phase[];
}

/** The order of a list of runs, by their creation. */
export const RUN_ORDERS = ["NEWEST_FIRST", "OLDEST_FIRST"] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];

/** The extent of a read of runs. */
export type RunDetail = "SUMMARY" | "WHOLE";

/** Returns the id of the run that made the plan: for an APPLY, its PLAN run. */
export function plannedBy({ id, planRunId }: Pick<Run, "id" | "planRunId">): string {
  return planRunId ?? id;
}

/** Returns the people who requested a run: its creator, and that of its current plan or of a run that created it. */
export function requestersOf({
  createdById,
  replannedById,
  requestedByIds,
}: Pick<Run, "createdById" | "replannedById" | "requestedByIds">): string[] {
  return [...new Set([createdById, ...(replannedById === null ? [] : [replannedById]), ...requestedByIds])];
}

/** Whether a run restores an older version of the state, with a fixed command. */
export function isStateRollback({ kind, trigger }: Pick<Run, "kind" | "trigger">): boolean {
  return kind === "TASK" && trigger === "ROLLBACK";
}

/**
 * Returns the next action that a person must take on a run. `blockedByLock`: a lock is a blocker. `isInconclusive`: its
 * verification has no result.
 */
export function requiredAction(
  run: Pick<Run, "status" | "leg" | "policyAsks">,
  blockedByLock: boolean,
  isInconclusive = false,
): RequiredAction {
  if (blockedByLock) return "RELEASE_LOCK";
  if (isInconclusive && isVerifying(run.status)) return "JUDGE_VERIFICATION";
  if (run.policyAsks && STATUS_TRAITS[run.status].gate === "PLAN") return "OVERRIDE_POLICY";
  const interrupted = run.status === "STOPPED" && (run.leg === "APPLY" || run.leg === "DESTROY");
  return interrupted ? "FIX_AND_RERUN" : STATUS_TRAITS[run.status].requiredAction;
}

export const RUN_ACTIONS = [
  "APPROVE_PLAN",
  "APPROVE_APPLY",
  "OVERRIDE_POLICIES",
  "WITHDRAW_APPROVAL",
  "REJECT",
  "DISCARD",
  "REPLAN",
  "CANCEL",
  "STOP",
  "FORCE_STOP",
  "RETRY",
  "PROMOTE",
  "ROLLBACK",
] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];
