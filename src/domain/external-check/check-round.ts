/** The work of a server on external checks: the requests that are due, and the results whose checks are silent. */
import { LIMITS } from "../../model/kit/limits.ts";
import { findNextDue, leaseResults, releaseResults } from "../../persistence/check/check-result-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type CheckTransport, requestCheck } from "./request-check.ts";

export interface CheckRounds extends AsyncDisposable {
  /** Begins what is due, as much as there is room for, and returns how much. It does not wait for it. */
  begin(): Promise<number>;
  /** Returns how long it is until something is due, as far as that is known. */
  waitMs(): Promise<number>;
  /** Waits for what is in progress. */
  idle(): Promise<void>;
}

/** Creates the rounds of a server, which has a name of its own for its leases. */
export function createCheckRounds(
  deps: Deps,
  { transport, onDone, onError }: { transport: CheckTransport; onDone: () => void; onError: (error: unknown) => void },
): CheckRounds {
  const by = Buffer.from(deps.randomBytes(12)).toString("base64url");
  const stop = new AbortController();
  const active = new Set<Promise<void>>();
  const at = (ms: number): string => new Date(deps.clock().getTime() + ms).toISOString();
  const start = (id: string): void => {
    const work = requestCheck(deps, transport, id, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error);
      })
      .finally(() => {
        active.delete(work);
        onDone();
      });
    active.add(work);
  };
  return {
    async begin() {
      const room = LIMITS.checksAtOnce - active.size;
      if (room <= 0) return 0;
      const lease = { by, at: at(0), until: at(LIMITS.checkLeaseMs) };
      const ids = await deps.database.statement((statement) => leaseResults(statement, lease, room));
      for (const id of ids) start(id);
      return ids.length;
    },
    async waitMs() {
      // The end of a request is announced by onDone.
      if (active.size >= LIMITS.checksAtOnce) return LIMITS.checkPollMs;
      const next = await findNextDue(deps.database, at(0));
      const wait = next === null ? LIMITS.checkPollMs : Date.parse(next) - deps.clock().getTime();
      return Math.min(Math.max(wait, 0), LIMITS.checkPollMs);
    },
    idle: async () => void (await Promise.all(active)),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(active);
      // Interrupted requests are released: another server sends them at once.
      await deps.database.statement((statement) => releaseResults(statement, by)).catch(() => undefined);
    },
  };
}
