import type { Output } from "../workspace/workspace.ts";

export const RECOVERY_DECISIONS = ["ADOPTED", "DISCARDED"] as const;
export type RecoveryDecision = (typeof RECOVERY_DECISIONS)[number];

/** A state that a runner sent after its lease had ended and its run with it: kept beside the line of versions. */
export interface RecoveredState {
  id: string;
  workspaceId: string;
  runId: string;
  jobId: string;
  runnerId: string;
  blobId: string;
  /** SHA-256 (hex) of its bytes. */
  digest: string;
  size: number;
  serial: number;
  lineage: string;
  /** Sensitive values are null. */
  outputs: Output[];
  /** How many resources it has, data sources not counted. */
  resourceCount: number;
  receivedAt: string;
  /** null: no decision yet. */
  decided: { decision: RecoveryDecision; actorId: string; at: string; note: string | null } | null;
}

/** The warning for people who free a workspace; null if nothing waits for a decision. */
export function undecidedWarning(count: number): string | null {
  if (count === 0) return null;
  const what =
    count === 1
      ? "A state that a runner sent after its lease is"
      : `${count} states that runners sent after their leases are`;
  return `${what} stored and undecided. Check it before the next run, then adopt or discard it.`;
}
