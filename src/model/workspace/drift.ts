/** Drift: what a plan of the applied configuration would change, because something else changed it meanwhile. */

/** The open finding of a workspace. Instants are RFC 3339 with milliseconds and Z. */
export interface Drift {
  /** When it was found first. */
  foundAt: string;
  /** The newest check that shows it. */
  runId: string;
  /** The resources that differ. Data sources that would be read again do not count. */
  resources: number;
  /** The outputs that differ. */
  outputs: number;
  /** Equal for checks that show the same addresses with the same actions. */
  fingerprint: string;
}

/** The result of one check. */
export type DriftCheck = Omit<Drift, "foundAt"> & { at: string };

export type DriftChange = "FOUND" | "CHANGED" | "GONE";

/** Returns the finding after a check, and how it changed; `null` if it did not. */
export function driftAfter(
  before: Drift | null,
  { at, ...check }: DriftCheck,
): { drift: Drift | null; change: DriftChange | null } {
  if (check.resources + check.outputs === 0) return { drift: null, change: before === null ? null : "GONE" };
  if (before === null) return { drift: { ...check, foundAt: at }, change: "FOUND" };
  const isSame = before.fingerprint === check.fingerprint;
  return { drift: { ...check, foundAt: before.foundAt }, change: isSame ? null : "CHANGED" };
}
