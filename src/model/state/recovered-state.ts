import type { Output } from "../workspace/workspace.ts";

export const RECOVERY_DECISIONS = ["ADOPTED", "DISCARDED"] as const;
export type RecoveryDecision = (typeof RECOVERY_DECISIONS)[number];

/** A state that a runner sent after its lease and its run had ended. It is stored beside the versions. */
export interface RecoveredState {
  id: string;
  workspaceId: string;
  runId: string;
  jobId: string;
  runnerId: string;
  blobId: string;
  /** The SHA-256 of its bytes, in hexadecimal. */
  digest: string;
  size: number;
  serial: number;
  lineage: string;
  /** Sensitive values are `null`. */
  outputs: Output[];
  /** The number of resources, without data sources. */
  resourceCount: number;
  receivedAt: string;
  /** `null` before a decision. */
  decided: { decision: RecoveryDecision; actorId: string; at: string; note: string | null } | null;
}

/** Returns a warning for people who unlock a workspace; `null` if no state waits for a decision. */
export function undecidedWarning(count: number): string | null {
  if (count === 0) return null;
  const rest = "stored and undecided. Check";
  return count === 1
    ? `A state that a runner sent after its lease is ${rest} it before the next run, then adopt or discard it.`
    : `${count} states that runners sent after their leases are ${rest} them before the next run, then adopt or discard them.`;
}
