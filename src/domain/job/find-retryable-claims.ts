import { findCalled, touchRunners, type WaitingClaim } from "../../persistence/dispatch/waiting-store.ts";
import type { Deps } from "../kit/deps.ts";

/** A request for work that got none, as it is known while it waits. */
export type IdleClaim = Omit<WaitingClaim, "isCalled">;

/**
 * Looks once for all requests that a server holds open, in the order of their turn; gives the ids of the claims that are
 * to be made again, because there is work for them or the runner is to hear something else. `areHeard`: the runners
 * count as heard from now.
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
