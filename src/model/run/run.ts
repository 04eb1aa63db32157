import type { Failure } from "../lifecycle/failure.ts";
import type { RunKind, RunLeg, RunOutcome, RunTrigger } from "../lifecycle/run-kind.ts";
import { type RequiredAction, type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";

/** RUN: of the whole leg. SILENCE: without a line of output. */
export const EXCEEDED_LIMITS = ["RUN", "SILENCE"] as const;
export type ExceededLimit = (typeof EXCEEDED_LIMITS)[number];

/** One change of a workspace, from its creation to its end. Instants are RFC 3339 with milliseconds and Z. */
export interface Run {
  id: string;
  organizationId: string;
  workspaceId: string;
  /** Counts up within the workspace, from 1. */
  number: number;
  kind: RunKind;
  status: RunStatus;
  leg: RunLeg;
  outcome: RunOutcome | null;
  trigger: RunTrigger;
  createdById: string;
  /** The person who asked for the newest plan as a replan; null if none did. */
  replannedById: string | null;
  message: string | null;
  /** Digest of the packed folder. */
  revision: string | null;
  targets: string[];
  replace: string[];
  /** The command of a TASK, as a shell reads it; null for other kinds. */
  command: string | null;
  /** Pairs of key and value by which its creator finds it again. */
  metadata: Record<string, string>;
  /** Higher goes first, within its class. */
  priority: number;
  /** Not admitted before. */
  scheduledAt: string | null;
  /** Approved for then: not claimed before. */
  applyAt: string | null;
  /** When the system checks it again; null: never. */
  alarmAt: string | null;
  /** The limit that was exceeded while a runner has it, and when the runner was asked to end its work. */
  expired: { limit: ExceededLimit; at: string } | null;
  /** Since when it waits at its gate longer than it may; null: it does not. */
  escalatedAt: string | null;
  /** Only takes into the state what changed outside. */
  refreshOnly: boolean;
  /** The number of the newest event. */
  version: number;
  /** Version of the newest plan; 0 before the first one. That of an APPLY is its PLAN run's. */
  planVersion: number;
  /** Attempts of the current leg that have begun and count. */
  attempt: number;
  cancelRequest: { actorId: string; at: string } | null;
  forced: boolean;
  holdsWorkspace: boolean;
  originId: string | null;
  /** The PLAN run whose plan an APPLY applies; null for other kinds. */
  planRunId: string | null;
  failure: Failure | null;
  reason: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  appliedAt: string | null;
  /** When the status was last changed. */
  statusAt: string;
}

/** The fields of runs in a list, unless more are selected: reading all of them as a whole took twice as long. */
export type RunSummary = Pick<
  Run,
  | "id"
  | "organizationId"
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

/** How much is read of a run. */
export type RunDetail = "SUMMARY" | "WHOLE";

/** The run whose plan a run is about: an APPLY applies that of its PLAN run. */
export function plannedBy({ id, planRunId }: Pick<Run, "id" | "planRunId">): string {
  return planRunId ?? id;
}

/** Whether a run brings an older version of the state back: its command is not a person's. */
export function isStateRollback({ kind, trigger }: Pick<Run, "kind" | "trigger">): boolean {
  return kind === "TASK" && trigger === "ROLLBACK";
}

/** Works out the next action of a person about a run. */
export function requiredAction(run: Pick<Run, "status" | "leg">, blockedByLock: boolean): RequiredAction {
  if (blockedByLock) return "RELEASE_LOCK";
  const interrupted = run.status === "STOPPED" && (run.leg === "APPLY" || run.leg === "DESTROY");
  return interrupted ? "FIX_AND_RERUN" : STATUS_TRAITS[run.status].requiredAction;
}

export const RUN_ACTIONS = [
  "APPROVE_PLAN",
  "APPROVE_APPLY",
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
