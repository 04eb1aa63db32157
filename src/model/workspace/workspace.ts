import type { AutoApply } from "../plan/auto-apply.ts";
import type { DeployShape } from "./deploy-shape.ts";
import type { Drift } from "./drift.ts";
import type { DriftSettings } from "./drift-settings.ts";
import type { Deployed } from "../health/plan-targets.ts";
import type { RuntimeHealth } from "../health/runtime-health.ts";
import type { Hook } from "./hook.ts";
import type { Json } from "../plan/json.ts";
import type { RunRules } from "../approval/run-rules.ts";
import type { Retention } from "./retention.ts";
import type { RunKind, RunOutcome } from "../lifecycle/run-kind.ts";
import type { PlanApprovalMode } from "../lifecycle/run-machine.ts";
import type { RunStatus } from "../lifecycle/run-status.ts";
import type { RollbackSettings } from "./rollback-settings.ts";
import type { TestMode } from "./test-mode.ts";
import type { VerificationSettings } from "./verification-settings.ts";
import type { WorkspaceTrigger } from "./workspace-trigger.ts";

export const WORKSPACE_LOCK_REASONS = ["MANUAL", "APPLY_INTERRUPTED"] as const;
export type WorkspaceLockReason = (typeof WORKSPACE_LOCK_REASONS)[number];

export interface WorkspaceLock {
  reason: WorkspaceLockReason;
  runId: string | null;
  actorId: string | null;
  note: string | null;
  since: string;
  /** When the lock expires; `null` if it stays until it is removed. */
  expiresAt: string | null;
}

/** Returns the lock, or `null` if it has expired. */
export function unexpiredLock(lock: WorkspaceLock | null, at: string): WorkspaceLock | null {
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
  /** The repository of a host, whose credential is used; absent if the variables of the workspace have it. */
  repositoryId?: string;
}
/** An uploaded archive, which every run uses. */
export interface UploadSource {
  type: "upload";
  uploadId: string;
  /** The SHA-256 of the stored archive, in hexadecimal. */
  digest: string;
}
export type WorkspaceSource = DirectorySource | GitSource | UploadSource;

export interface Organization {
  id: string;
  slug: string;
  name: string;
  concurrencyLimit: number;
  /** The runs of a push that begin without a person. */
  maxRunsPerPush: number;
  retention: Retention;
  rules: RunRules;
}

/** RUN: a run holds the workspace while people decide. EXECUTION: it releases the workspace at gates. */
export const LOCK_SCOPES = ["RUN", "EXECUTION"] as const;
export type LockScope = (typeof LOCK_SCOPES)[number];

/** A workspace with what is needed to name it to those who may read it. */
export type WorkspaceName = Pick<Workspace, "id" | "organizationId" | "projectId" | "name">;

export interface Workspace {
  id: string;
  organizationId: string;
  projectId: string;
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
  /** Only runners of this pool take its runs. `null`: shared runners, and those of pools that are not reserved. */
  runnerPoolId: string | null;
  /** Labels that a runner must have, sorted and unique. */
  runnerLabels: string[];
  /** Its labels, sorted; each is `key` or `key:value`, and each key occurs once. */
  labels: string[];
  /** The hooks that its runs execute, in order. */
  hooks: readonly Hook[];
  /** The changes of its repository that start runs. */
  trigger: WorkspaceTrigger;
  /** Its own rules; those of its organization apply beside or below them. */
  rules: RunRules;
  lock: WorkspaceLock | null;
  /** The differences from the applied configuration that the newest check found; `null` if there are none. */
  drift: Drift | null;
  driftSettings: DriftSettings;
  /** When its resources are destroyed, and it is deleted; `null` if it does not expire. */
  expiresAt: string | null;
  /** Why it is still there although it has expired; `null` if nothing is wrong. */
  expiryProblem: string | null;
  /** How its applies are verified. */
  verification: VerificationSettings;
  /** How it goes back after an apply that does not pass its verification. */
  rollback: RollbackSettings;
  /** Which tests of the configuration its runs execute before their plan. */
  tests: TestMode;
  /** The shape of what it deploys, as people have set it; `null` if they have not. */
  deployShape: DeployShape | null;
  hasStartCommand: boolean | null;
  /** The shape that a DETECT hook of its newest deployment found; `null` if none did. */
  foundShape: DeployShape | null;
  foundStartCommand: boolean | null;
  /** Whether outputs of other workspaces are variables of its runs. */
  takesOutputs: boolean;
  /** The serial of the newest state; 0 if there is none. */
  stateSerial: number;
  createdAt: string;
}

export interface Output {
  name: string;
  /** `null` if it is sensitive. */
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

/** A run that has ended. `applied`: its engine applied everything, also if the run did not end well afterwards. */
export interface EndedDeployment {
  kind: RunKind;
  status: RunStatus;
  outcome: RunOutcome | null;
  applied: boolean;
}

/**
 * The data from which the deployment status of a workspace is derived. Only runs of kind DEPLOY, DESTROY and APPLY
 * count.
 */
export interface DeploymentInput {
  paused: boolean;
  /** A counted run is live and not at a gate. */
  deploying: boolean;
  /** The newest ended run that reached APPLYING, FAILED or TIMED_OUT; `null` if none. */
  last: EndedDeployment | null;
  /** A run has been applied. */
  applied: boolean;
  /** The health of what was applied. */
  health: RuntimeHealth;
}

/** Returns what the runs of a workspace have left behind. */
export function deployedBy({ last, applied }: Pick<DeploymentInput, "last" | "applied">): Deployed {
  if (last !== null && isDestroyed(last)) return "DESTROYED";
  return applied ? "APPLIED" : "NOTHING";
}

export function deploymentStatus(input: DeploymentInput): DeploymentStatus {
  if (input.paused) return "PAUSED";
  if (input.deploying) return "DEPLOYING";
  if (input.last !== null && !isDeployed(input.last)) return "FAILED";
  if (input.health === "UNREACHABLE" || input.health === "DEGRADED") return input.health;
  if (input.last !== null && isDestroyed(input.last)) return "DESTROYED";
  return input.applied ? "RUNNING" : "PENDING";
}

/** A run that was stopped while its result was verified has applied its plan. */
function isDeployed({ status, applied }: EndedDeployment): boolean {
  return status === "FINISHED" || (status === "STOPPED" && applied);
}

function isDestroyed({ kind, outcome, applied }: EndedDeployment): boolean {
  return outcome === "DESTROYED" || (outcome === null && kind === "DESTROY" && applied);
}
