/** Schedules: actions on a workspace, on those with a label, or on a stage of a pipeline, at times that a cron expression names. */
import type { Permission } from "../people/permission-set.ts";
import type { RunKind, RunTrigger } from "../lifecycle/run-kind.ts";

export const SCHEDULED_ACTIONS = ["DESTROY", "DETECT_DRIFT", "PROMOTE", "RECONCILE", "RUN", "TASK"] as const;
export type ScheduledAction = (typeof SCHEDULED_ACTIONS)[number];

/** The treatment of due times that passed while no server was up. ONCE: the last of them counts. SKIP: none does. */
export const MISFIRES = ["ONCE", "SKIP"] as const;
export type Misfire = (typeof MISFIRES)[number];

/** A schedule. Instants are RFC 3339 with milliseconds and Z. */
export interface Schedule {
  id: string;
  organizationId: string;
  /** That of the workspace; `null` if it names none. */
  projectId: string | null;
  /** `null` if it selects workspaces by a label, or promotes. */
  workspaceId: string | null;
  /** The label of its workspaces; `null` if it names one, or promotes. */
  label: string | null;
  /** The pipeline and the stage to which it promotes; `null` for other actions. */
  pipelineId: string | null;
  stage: string | null;
  name: string;
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: string;
  /** The name of an IANA zone. */
  timeZone: string;
  /** Runs begin up to this many minutes after the due time, by workspace. */
  spreadMinutes: number;
  misfire: Misfire;
  action: ScheduledAction;
  /** The shell command of a TASK; `null` for other actions. */
  command: string | null;
  enabled: boolean;
  /** The actor under whose rights its runs are created: the one that created or changed it last. */
  ownerId: string;
  createdAt: string;
  /** The next due time; `null` if it is disabled, or has none. */
  nextAt: string | null;
  /** The last due time that was considered; `null` before the first. */
  lastAt: string | null;
  /** The changeset of the last due time that had runs; `null` if none had. */
  lastChangesetId: string | null;
  /** Why the last due time had no runs, or not in all workspaces; `null` if nothing was wrong. */
  lastProblem: string | null;
}

/** The runs that an action makes. */
interface ActionTraits {
  kind: Extract<RunKind, "DEPLOY" | "DESTROY" | "PLAN" | "TASK">;
  trigger: Extract<RunTrigger, "SCHEDULE" | "DRIFT" | "PROMOTION">;
  permission: Permission;
  /** Whether its runs have the source that was applied last, and not the newest one. */
  fromApplied: boolean;
}

export const ACTION_TRAITS = {
  DESTROY: { kind: "DESTROY", trigger: "SCHEDULE", permission: "RUN_DESTROY", fromApplied: false },
  DETECT_DRIFT: { kind: "PLAN", trigger: "DRIFT", permission: "RUN_PLAN", fromApplied: true },
  PROMOTE: { kind: "DEPLOY", trigger: "PROMOTION", permission: "RUN_DEPLOY", fromApplied: false },
  RECONCILE: { kind: "DEPLOY", trigger: "SCHEDULE", permission: "RUN_DEPLOY", fromApplied: true },
  RUN: { kind: "DEPLOY", trigger: "SCHEDULE", permission: "RUN_DEPLOY", fromApplied: false },
  TASK: { kind: "TASK", trigger: "SCHEDULE", permission: "RUN_TASK", fromApplied: false },
} as const satisfies Record<ScheduledAction, ActionTraits>;

const MINUTE_MS = 60_000;

/**
 * Returns by how much the run of a workspace is later than its due time: always the same for a workspace, and spread
 * evenly over workspaces. FNV-1a over the id.
 */
export function spreadOf(workspaceId: string, spreadMinutes: number): number {
  if (spreadMinutes === 0) return 0;
  let hash = 0x811c9dc5;
  for (let index = 0; index < workspaceId.length; index += 1) {
    hash = Math.imul(hash ^ workspaceId.charCodeAt(index), 0x01000193) >>> 0;
  }
  // FNV's low bits of texts that end alike are alike: the high ones are mixed in.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return ((hash ^ (hash >>> 12)) >>> 0) % (spreadMinutes * MINUTE_MS);
}
