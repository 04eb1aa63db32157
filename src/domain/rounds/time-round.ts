import { LIMITS } from "../../model/kit/limits.ts";
import { ringOrganizations } from "../../persistence/run/alarm-store.ts";
import { isReachable } from "../../persistence/installation/installation-store.ts";
import type { Deps } from "../kit/deps.ts";
import { ringAlarms } from "../lease/ring-alarms.ts";

/**
 * Creates the round that rings alarms; call it every `LIMITS.timekeeperMs`.
 *
 * Runners could not reach a server before the first round, nor while rounds failed or were missed (a database that
 * restarts, a machine that was suspended). Their silence does not count then.
 */
export function createTimeRound(deps: Deps): () => Promise<void> {
  const now = (): number => deps.clock().getTime();
  let wellAt = now();
  let onlineSince = new Date(wellAt);
  return async () => {
    if (!(await isReachable(deps.database))) return;
    const at = now();
    if (Math.abs(at - wellAt) > LIMITS.heartbeatMs) onlineSince = new Date(at);
    // The clock was set back: recorded alarms are in the future, and no deadline would pass until then.
    if (wellAt - at > LIMITS.heartbeatMs) {
      await deps.database.transaction((tx) => ringOrganizations(tx, onlineSince.toISOString()));
    }
    await ringAlarms(deps, onlineSince);
    wellAt = now();
  };
}
