import { findCalled, touchRunners, type WaitingClaim } from "../../persistence/dispatch/waiting-store.ts";
import type { Deps } from "../kit/deps.ts";

/** A claim that found no job and waits on the server. */
export type IdleClaim = Omit<WaitingClaim, "isCalled">;

/**
 * Checks all claims that wait on this server, in their order. Returns the ids of those to retry: there is work for
 * them, or the runner must get another reply. `areHeard`: also marks their runners as seen now.
 */
export async function findRetryableClaims(
  { database, clock }: Pick<Deps, "database" | "clock">,
  waiting: readonly WaitingClaim[],
  areHeard: boolean,
): Promise<string[]> {
  const at = clock().toISOString();
  const runnerIds = waiting.map(({ runnerId }) => runnerId);
  if (areHeard) await touchRunners(database, runnerIds, at);
  return findCalled(database, waiting, at);
}
