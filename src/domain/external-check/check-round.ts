/** The work of a server on external checks: the requests that are due, and the results whose checks are silent. */
import { LIMITS } from "../../model/kit/limits.ts";
import { findNextDue, leaseResults, releaseResults } from "../../persistence/check/check-result-store.ts";
import type { Deps } from "../kit/deps.ts";
import { createLeasedRounds, type LeasedRounds, type RoundListeners } from "../kit/leased-rounds.ts";
import { type CheckTransport, requestCheck } from "./request-check.ts";

export function createCheckRounds(deps: Deps, transport: CheckTransport, listeners: RoundListeners): LeasedRounds {
  const { checksAtOnce: atOnce, checkLeaseMs: leaseMs, checkPollMs: pollMs } = LIMITS;
  const rows = { lease: leaseResults, release: releaseResults, findNext: findNextDue };
  const work = (id: string, signal: AbortSignal): Promise<void> => requestCheck(deps, transport, id, signal);
  return createLeasedRounds(deps, { atOnce, leaseMs, pollMs, ...rows, work }, listeners);
}
