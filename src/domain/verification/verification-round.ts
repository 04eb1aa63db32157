/** The work of a server on verifications: it leases those that are due, sends their probes and takes the results. */
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import {
  findNextVerification,
  leaseVerifications,
  releaseVerifications,
} from "../../persistence/verification/verification-store.ts";
import type { Deps } from "../kit/deps.ts";
import { verifyOnce } from "./verify-once.ts";

export interface VerificationRounds extends AsyncDisposable {
  /** Begins what is due, as much as there is room for, and returns how much. It does not wait for it. */
  begin(): Promise<number>;
  /** Returns how long it is until something is due, as far as that is known. */
  waitMs(): Promise<number>;
  /** Waits for what is in progress. */
  idle(): Promise<void>;
}

/** Creates the rounds of a server, which has a name of its own for its leases. */
export function createVerificationRounds(
  deps: Deps,
  { onDone, onError }: { onDone: () => void; onError: (error: unknown) => void },
): VerificationRounds {
  const by = Buffer.from(deps.randomBytes(12)).toString("base64url");
  const stop = new AbortController();
  const active = new Set<Promise<void>>();
  const at = (ms: number): string => new Date(deps.clock().getTime() + ms).toISOString();
  return {
    async begin() {
      const room = VERIFICATION_LIMITS.atOnce - active.size;
      if (room <= 0 || stop.signal.aborted) return 0;
      const lease = { by, at: at(0), until: at(VERIFICATION_LIMITS.leaseMs) };
      const taken = await deps.database.statement((statement) => leaseVerifications(statement, lease, room));
      for (const leased of taken) {
        const work = verifyOnce(deps, leased, stop.signal)
          .catch((error: unknown) => {
            // The lease ends, and a server tries again.
            if (!stop.signal.aborted) onError(error);
          })
          .finally(() => {
            active.delete(work);
            onDone();
          });
        active.add(work);
      }
      return taken.length;
    },
    async waitMs() {
      if (active.size >= VERIFICATION_LIMITS.atOnce) return VERIFICATION_LIMITS.pollMs;
      const next = await findNextVerification(deps.database, at(0));
      const wait = next === null ? VERIFICATION_LIMITS.pollMs : Date.parse(next) - deps.clock().getTime();
      return Math.min(Math.max(wait, 0), VERIFICATION_LIMITS.pollMs);
    },
    idle: async () => void (await Promise.all(active)),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(active);
      // Interrupted rounds are released: another server makes them at once.
      await deps.database.statement((statement) => releaseVerifications(statement, by)).catch(() => undefined);
    },
  };
}
