/** The work of a server on verifications: it leases those that are due, sends their probes and takes the results. */
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import {
  findNextVerification,
  type LeasedVerification,
  leaseVerifications,
  releaseVerifications,
} from "../../persistence/verification/verification-store.ts";
import type { Deps } from "../kit/deps.ts";
import { createLeasedRounds, type LeasedRounds, type RoundListeners } from "../kit/leased-rounds.ts";
import { verifyOnce } from "./verify-once.ts";

export function createVerificationRounds(deps: Deps, listeners: RoundListeners): LeasedRounds {
  const { atOnce, leaseMs, pollMs } = VERIFICATION_LIMITS;
  const rows = { lease: leaseVerifications, release: releaseVerifications, findNext: findNextVerification };
  const work = (leased: LeasedVerification, signal: AbortSignal): Promise<void> => verifyOnce(deps, leased, signal);
  return createLeasedRounds(deps, { atOnce, leaseMs, pollMs, ...rows, work }, listeners);
}
