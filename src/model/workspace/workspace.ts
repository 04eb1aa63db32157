import type { AutoApply } from "../plan/auto-apply.ts";
import type { Hook } from "./hook.ts";
import type { Json } from "../plan/plan.ts";
import type { RunRules } from "../approval/run-rules.ts";
import type { Retention } from "./retention.ts";
import type { RunOutcome } from "../lifecycle/run-kind.ts";
import type { PlanApprovalMode } from "../lifecycle/run-machine.ts";
import type { RunStatus } from "../lifecycle/run-status.ts";

export const WORKSPACE_LOCK_REASONS = ["MANUAL", "APPLY_INTERRUPTED"] as const;
export type WorkspaceLockReason = (typeof WORKSPACE_LOCK_REASONS)[number];

export interface WorkspaceLock {
  reason: WorkspaceLockReason;
  runId: string | null;
  actorId: string | null;
  note: string | null;
  since: string;
  /** From when on it counts as none; null: it stays until it is removed. */
  expiresAt: string | null;
}

/** The lock at this instant: one that has expired counts as none. */
export function standingLock(lock: WorkspaceLock | null, at: string): WorkspaceLock | null {
  return lock === null || (lock.expiresAt !== null && lock.expiresAt <= at) ? null : lock;
}

/** A folder on the server's disk, packed into a snapshot when a run is created. */
export interface DirectorySource {
  type: "directory";
  path: string;
}
/** A folder of a git repository; the commit is looked up when a run is created. */
export interface GitSource {
  type: "git";
  url: string;
  branch: string;
  /** `.` is the whole repository. */
  path: string;
}
/** An archive that was sent before; every run gets the same one. */
export interface UploadSource {
  type: "upload";
  uploadId: string;
  /** SHA-256 (hex) of the archive as it is kept. */
  digest: string;
}
export type WorkspaceSource = DirectorySource | GitSource | UploadSource;

export interface Organization {
  id: string;
  slug: string;
  name: string;
  concurrencyLimit: number;
  retention: Retention;
  rules: RunRules;
}

/** RUN: a run keeps the workspace while people decide. EXECUTION: it lets it go at the gates. */
export const LOCK_SCOPES = ["RUN", "EXECUTION"] as const;
export type LockScope = (typeof LOCK_SCOPES)[number];

export interface Workspace {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  source: WorkspaceSource;
  paused: boolean;
  planApproval: PlanApprovalMode;
  autoApply: AutoApply;
  lockScope: LockScope;
  /** Whether a person may stop an apply: the engine is interrupted and saves its state. */
  interruptApply: boolean;
  /** Whether runs of kind TASK can be created. */
  tasksAllowed: boolean;
  /** Only runners of this pool take its runs; null: shared ones and those of pools that are not reserved. */
  runnerPoolId: string | null;
  /** Labels that its runners must have, all of them; in order, each once. */
  runnerLabels: string[];
  /** The hooks that its runs perform around the engine, in order. */
  hooks: readonly Hook[];
  /** Its own; that of its organization applies if it has none. */
  rules: RunRules;
  lock: WorkspaceLock | null;
  /** Serial of the newest state; 0 where there is none. */
  stateSerial: number;
  createdAt: string;
}

export interface Output {
  name: string;
  /** null where it is sensitive. */
  value: Json;
  sensitive: boolean;
}

export const VARIABLE_CATEGORIES = ["ENGINE", "ENVIRONMENT"] as const;
export type VariableCategory = (typeof VARIABLE_CATEGORIES)[number];

export interface Variable {
  key: string;
  value: string;
  sensitive: boolean;
  category: VariableCategory;
  hcl: boolean;
}

export const DEPLOYMENT_STATUSES = [
  "PENDING",
  "DEPLOYING",
  "RUNNING",
  "FAILED",
  "DEGRADED",
  "UNREACHABLE",
  "PAUSED",
  "DESTROYED",
] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** The facts from which the deployment status of a workspace is derived; only runs of kind DEPLOY, DESTROY and APPLY count. */
export interface DeploymentFacts {
  paused: boolean;
  /** One of these runs is live and not at a gate. */
  deploying: boolean;
  /** The newest that reached APPLYING, or ended FAILED or TIMED_OUT, and is over. */
  last: { status: RunStatus; outcome: RunOutcome | null } | null;
  /** Something was ever applied. */
  applied: boolean;
}

export function deploymentStatus(facts: DeploymentFacts): DeploymentStatus {
  if (facts.paused) return "PAUSED";
  if (facts.deploying) return "DEPLOYING";
  if (facts.last !== null && facts.last.status !== "FINISHED") return "FAILED";
  if (facts.last?.outcome === "DESTROYED") return "DESTROYED";
  return facts.applied ? "RUNNING" : "PENDING";
}
