import type { Failure } from "./failure.ts";
import type { RunKind, RunLeg, RunOutcome, RunTrigger } from "./run-kind.ts";
import { type RequiredAction, type RunStatus, STATUS_FACTS } from "./run-status.ts";

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
  message: string | null;
  /** Digest of the packed folder. */
  revision: string | null;
  targets: string[];
  replace: string[];
  /** Only takes into the state what changed outside. */
  refreshOnly: boolean;
  /** The number of the newest event. */
  version: number;
  /** Version of the newest plan; 0 before the first one. */
  planVersion: number;
  /** Attempts of the current leg that have begun and count. */
  attempt: number;
  cancelRequest: { actorId: string; at: string } | null;
  forced: boolean;
  holdsWorkspace: boolean;
  originId: string | null;
  failure: Failure | null;
  reason: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  appliedAt: string | null;
  /** When the status was last changed. */
  statusAt: string;
}

/** What a person does next about a run. */
export function requiredAction(run: Pick<Run, "status" | "leg">, blockedByLock: boolean): RequiredAction {
  if (blockedByLock) return "RELEASE_LOCK";
  const interrupted = run.status === "STOPPED" && (run.leg === "APPLY" || run.leg === "DESTROY");
  return interrupted ? "FIX_AND_RERUN" : STATUS_FACTS[run.status].requiredAction;
}

export const RUN_ACTIONS = [
  "APPROVE_PLAN",
  "APPROVE_APPLY",
  "REJECT",
  "DISCARD",
  "REPLAN",
  "CANCEL",
  "STOP",
  "FORCE_STOP",
  "RETRY",
] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];
