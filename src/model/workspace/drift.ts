/** Drift: what differs from the applied configuration, because something else changed it meanwhile. */

/** The open finding of a workspace. Instants are RFC 3339 with milliseconds and Z. */
export interface Drift {
  /** When it was found first. */
  foundAt: string;
  /** The newest check that shows it. */
  runId: string;
  /** The resources that differ, without those that the workspace ignores. */
  resources: number;
  /** The outputs that differ. */
  outputs: number;
  /** Equal for checks that show the same changes. */
  fingerprint: string;
  /** Whether webhooks reported it. An acknowledged one is not reported while the acknowledgement is in force. */
  isReported: boolean;
}

/** The result of one check. `isAcknowledged`: an acknowledgement of this very drift is in force. */
export type DriftCheck = Omit<Drift, "foundAt" | "isReported"> & { at: string; isAcknowledged: boolean };

export type DriftChange = "FOUND" | "CHANGED" | "GONE";

/** Returns the finding after a check, and what is reported; `null` if nothing. */
export function driftAfter(
  before: Drift | null,
  { at, isAcknowledged, ...check }: DriftCheck,
): { drift: Drift | null; change: DriftChange | null } {
  if (check.resources + check.outputs === 0) return { drift: null, change: before === null ? null : "GONE" };
  const isSame = before?.fingerprint === check.fingerprint;
  const wasReported = isSame && before.isReported;
  const drift = { ...check, foundAt: before?.foundAt ?? at, isReported: wasReported || !isAcknowledged };
  if (isAcknowledged || wasReported) return { drift, change: null };
  return { drift, change: before === null || isSame ? "FOUND" : "CHANGED" };
}

/** A person's word that a drift is known. */
export interface DriftAcknowledgement {
  workspaceId: string;
  /** The drift: another one is reported. */
  fingerprint: string;
  /** When it ends. */
  until: string;
  note: string | null;
  actorId: string;
  at: string;
}
