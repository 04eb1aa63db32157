import { LIMITS } from "../../model/kit/limits.ts";
import { claimLooks, releaseLooks, renewLooks } from "../../persistence/repository/look-store.ts";
import type { Deps } from "../kit/deps.ts";
import { HostSlots } from "./host-slots.ts";
import { lookOnce } from "./look.ts";

/** Returns a name for the leases of one server, or of one look. */
export function leaseName({ randomBytes }: Pick<Deps, "randomBytes">): string {
  return Buffer.from(randomBytes(12)).toString("base64url");
}

/** Work of one server that waits for git hosts. */
export interface HostRounds extends AsyncDisposable {
  /** Begins what is due, as much as there is room for, and returns how much. It does not wait for it. */
  begin(onError: (error: unknown) => void): Promise<number>;
  /** Keeps what is in progress from other servers. */
  renew(): Promise<void>;
  /** Resolves when there is room again. */
  freed(): Promise<void>;
  /** Waits for what is in progress. */
  idle(): Promise<void>;
}

export type Looks = HostRounds;

/** Creates the looks of a server, which has a name of its own for its leases. */
export function createLooks(deps: Deps): Looks {
  const by = leaseName(deps);
  const slots = new HostSlots(LIMITS.refReadsAtOnce, LIMITS.refReadsPerHost);
  const at = (ms: number): string => new Date(deps.clock().getTime() + ms).toISOString();
  return {
    async begin(onError) {
      const { room, limits } = slots;
      if (room === 0) return 0;
      const claim = { by, at: at(0), until: at(LIMITS.lookLeaseMs), notSince: at(-LIMITS.lookPauseMs) };
      const begun = await deps.database.statement((statement) => claimLooks(statement, claim, limits, room));
      for (const look of begun) slots.take(look.gitHostId, lookOnce(deps, by, look).catch(onError));
      return begun.length;
    },
    async renew() {
      if (slots.room === LIMITS.refReadsAtOnce) return;
      await deps.database.statement((statement) => renewLooks(statement, by, at(LIMITS.lookLeaseMs)));
    },
    freed: () => slots.freed(),
    idle: () => slots.idle(),
    async [Symbol.asyncDispose]() {
      await slots.idle();
      // A look that has failed without a result is due at once.
      await deps.database.statement((statement) => releaseLooks(statement, by)).catch(() => undefined);
    },
  };
}
