/** A failed run with the state of its workspace. */
interface FailedRun {
  readonly requiredAction: string;
  readonly workspace: { readonly id: string; readonly deploymentStatus: string; readonly lock?: object | null };
}

/** The workspace is not as it should be. */
const BROKEN = ["FAILED", "DEGRADED", "UNREACHABLE"];

/**
 * Gives the failed runs that still need a person, newest first as they came: one for each workspace, and none for a
 * workspace that was repaired since.
 */
export function needsHand<TRun extends FailedRun>(runs: readonly TRun[]): TRun[] {
  const seen = new Set<string>();
  return runs.filter(({ requiredAction, workspace: { id, deploymentStatus, lock } }) => {
    const isOpen = lock != null || requiredAction === "RELEASE_LOCK" || BROKEN.includes(deploymentStatus);
    if (!isOpen || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
