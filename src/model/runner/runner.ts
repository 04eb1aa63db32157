/** Runners and their pools. */
import type { EngineVersion } from "../plan/plan.ts";
import type { RunLeg } from "../lifecycle/run-kind.ts";
import type { RunnerState } from "./runner-state.ts";

/** The form of a runner's label; workspaces select runners by label. */
export const RUNNER_LABEL = /^[a-z0-9][a-z0-9._:-]{0,63}$/;
export const RUNNER_LABEL_WORDS =
  "must have 1 to 64 small letters, digits, dots, underscores, colons and hyphens, beginning with a letter or digit";

/** Runners of one organization with equal rights: a holder of the pool's token receives the runs of its workspaces. */
export interface RunnerPool {
  id: string;
  organizationId: string;
  /** Unique within the organization. */
  name: string;
  description: string | null;
  /** The pool only takes runs of workspaces that name it. */
  reserved: boolean;
  /** How many checks for drift of workspaces that name it run at once; `null`: as many as there are places. */
  driftCheckLimit: number | null;
  createdAt: string;
}

/** A credential for runners of a pool; its secret is stored as a hash alone. */
export interface RunnerToken {
  id: string;
  poolId: string;
  name: string;
  createdById: string;
  createdAt: string;
  expiresAt: string | null;
  /** The approximate time of its last use. */
  lastUsedAt: string | null;
}

export interface Runner {
  id: string;
  /** Unique within the pool. */
  name: string;
  /** `null`: shared by all organizations. */
  poolId: string | null;
  version: string;
  engine: EngineVersion | null;
  labels: string[];
  slots: number;
  state: RunnerState;
  lastSeenAt: string;
  /** When the current drain was requested. */
  drainRequestedAt: string | null;
  revokedAt: string | null;
}

/** A runner's description of itself in a claim. */
export interface ClaimingRunner {
  name: string;
  version: string;
  /** A random id of the process. */
  instance: string;
  labels: string[];
  slots: number;
  draining: boolean;
}

/** A leg of a run that a runner works on. */
export interface RunnerJob {
  id: string;
  runId: string;
  runnerId: string;
  leg: RunLeg;
  since: string;
  /** When its lease ends without a heartbeat. */
  leaseEndsAt: string;
}
