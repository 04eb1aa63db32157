import { LIMITS } from "../../model/kit/limits.ts";
import { claimLooks, releaseLooks, renewLooks } from "../../persistence/repository/look-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lookOnce } from "./look.ts";

/** Returns a name for the leases of one server, or of one look. */
export function leaseName({ randomBytes }: Pick<Deps, "randomBytes">): string {
  return Buffer.from(randomBytes(12)).toString("base64url");
}

/** The looks of one server. */
export interface Looks extends AsyncDisposable {
  /** Begins looks that are due, as many as there is room for, and returns their number. It does not wait for them. */
  begin(onError: (error: unknown) => void): Promise<number>;
  /** Keeps the looks in progress from other servers. */
  renew(): Promise<void>;
  /** Waits for the looks in progress. */
  idle(): Promise<void>;
}

/** Creates the looks of a server, which has a name of its own for its leases. */
export function createLooks(deps: Deps): Looks {
  const by = leaseName(deps);
  const active = new Set<Promise<void>>();
  const at = (ms: number): string => new Date(deps.clock().getTime() + ms).toISOString();
  return {
    async begin(onError) {
      const room = LIMITS.refReadsAtOnce - active.size;
      if (room === 0) return 0;
      const claim = { by, at: at(0), until: at(LIMITS.lookLeaseMs), notSince: at(-LIMITS.lookPauseMs) };
      const begun = await deps.database.statement((statement) => claimLooks(statement, claim, room));
      for (const look of begun) {
        const work = lookOnce(deps, by, look)
          .catch(onError)
          .finally(() => active.delete(work));
        active.add(work);
      }
      return begun.length;
    },
    async renew() {
      if (active.size === 0) return;
      await deps.database.statement((statement) => renewLooks(statement, by, at(LIMITS.lookLeaseMs)));
    },
    async idle() {
      await Promise.all(active);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(active);
      // A look that has failed without a result is due at once.
      await deps.database.statement((statement) => releaseLooks(statement, by)).catch(() => undefined);
    },
  };
}
