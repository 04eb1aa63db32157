/** The work of a server on rows that are due: it leases them, works on several at a time, and releases what it did not end. */
import type { Reader, Statement } from "../../persistence/database/database.ts";
import type { Deps } from "./deps.ts";

export interface LeasedRounds extends AsyncDisposable {
  /** Begins what is due, as much as there is room for, and returns how much. It does not wait for it. */
  begin(): Promise<number>;
  /** Returns how long it is until something is due, as far as that is known. */
  waitMs(): Promise<number>;
  /** Waits for what is in progress. */
  idle(): Promise<void>;
}

/** Rows with a due time and a lease, and the work on one of them. */
export interface LeasedWork<Leased> {
  /** Rows of one server at a time. */
  atOnce: number;
  leaseMs: number;
  pollMs: number;
  /** Takes rows that are due and belong to no other server. */
  lease: (statement: Statement, lease: { by: string; at: string; until: string }, room: number) => Promise<Leased[]>;
  release: (statement: Statement, by: string) => Promise<void>;
  /** Finds when the next row is due that no server has; `null` if none is. */
  findNext: (reader: Reader, at: string) => Promise<string | null>;
  /** Throws if it fails: the lease ends, and a server tries again. */
  work: (leased: Leased, signal: AbortSignal) => Promise<void>;
}

/** Listeners of rounds: the end of the work on a row, and an error of it. */
export interface RoundListeners {
  onDone: () => void;
  onError: (error: unknown) => void;
}

/** Creates the rounds of a server, which has a name of its own for its leases. */
export function createLeasedRounds<Leased>(
  deps: Pick<Deps, "database" | "clock" | "randomBytes">,
  { atOnce, leaseMs, pollMs, lease, release, findNext, work }: LeasedWork<Leased>,
  { onDone, onError }: RoundListeners,
): LeasedRounds {
  const by = Buffer.from(deps.randomBytes(12)).toString("base64url");
  const stop = new AbortController();
  const active = new Set<Promise<void>>();
  const at = (ms: number): string => new Date(deps.clock().getTime() + ms).toISOString();
  const start = (leased: Leased): void => {
    const working = work(leased, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error);
      })
      .finally(() => {
        active.delete(working);
        onDone();
      });
    active.add(working);
  };
  return {
    async begin() {
      const room = atOnce - active.size;
      if (room <= 0 || stop.signal.aborted) return 0;
      const until = { by, at: at(0), until: at(leaseMs) };
      const taken = await deps.database.statement((statement) => lease(statement, until, room));
      for (const leased of taken) start(leased);
      return taken.length;
    },
    async waitMs() {
      // The end of the work on a row is announced by onDone.
      if (active.size >= atOnce) return pollMs;
      const next = await findNext(deps.database, at(0));
      const wait = next === null ? pollMs : Date.parse(next) - deps.clock().getTime();
      return Math.min(Math.max(wait, 0), pollMs);
    },
    idle: async () => void (await Promise.all(active)),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(active);
      // What was interrupted is released: another server begins it at once.
      await deps.database.statement((statement) => release(statement, by)).catch(() => undefined);
    },
  };
}
