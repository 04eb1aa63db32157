import { LIMITS } from "../../model/kit/limits.ts";
import { ringOrganizations } from "../../persistence/run/alarm-store.ts";
import { isReachable } from "../../persistence/installation/installation-store.ts";
import type { Deps } from "../kit/deps.ts";
import { ringAlarms } from "../lease/ring-alarms.ts";

/**
 * One look at the clock, to be taken every `LIMITS.timekeeperMs`. Runners could not be heard before it, nor while rounds
 * failed or did not come (a database that restarts, a machine that was suspended): that is no silence of theirs.
 */
export function createTimeRound(deps: Deps): () => Promise<void> {
  const now = (): number => deps.clock().getTime();
  let wellAt = now();
  let onlineSince = new Date(wellAt);
  return async () => {
    if (!(await isReachable(deps.database))) return;
    const at = now();
    if (Math.abs(at - wellAt) > LIMITS.heartbeatMs) onlineSince = new Date(at);
    // A clock that was put back: what was noted by it lies ahead, and nobody would be late until then.
    if (wellAt - at > LIMITS.heartbeatMs) {
      await deps.database.transaction((tx) => ringOrganizations(tx, onlineSince.toISOString()));
    }
    await ringAlarms(deps, onlineSince);
    wellAt = now();
  };
}
