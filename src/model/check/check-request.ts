/** Requests of external checks that runners of a pool send, because the server does not reach the service. */

/** A request that is offered to the runners of a pool. */
export interface CheckRequest {
  id: string;
  poolId: string;
  /** The result that it is about, and its round; `null`: it tests an address. */
  about: { resultId: string; round: number } | null;
  offeredAt: string;
  /** When no command waits for its answer any more; `null` for one about a result. */
  endsAt: string | null;
  /** Counts the runners that took it. A report counts only with the newest one. */
  fence: number;
  /** Until when a runner has it; `null` if none does. */
  leaseUntil: string | null;
}

/** Whether a runner has a request at an instant. */
export function isTaken({ leaseUntil }: Pick<CheckRequest, "leaseUntil">, at: string): boolean {
  return leaseUntil !== null && leaseUntil > at;
}

/** Describes why no runner takes a request; `null` if one may. `poolName`: `null` if the pool was deleted. */
export function missingRunnerText(poolName: string | null, isOffered: boolean): string | null {
  if (poolName === null) return "The runner pool that sends the request was deleted. Give the check another one.";
  if (isOffered) return null;
  return `No runner of the pool ${poolName} sends requests of checks. Start one with HOLDPOINT_RUNNER_CHECKS=true.`;
}

export const LOST_RUNNER_TEXT = "The runner that had the request did not report its answer.";
