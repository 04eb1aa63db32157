import { LIMITS } from "../../model/limits.ts";
import { isReachable } from "../../persistence/installation-store.ts";
import type { Deps } from "../deps.ts";
import { ringAlarms } from "./ring-alarms.ts";

/**
 * One look at the clock, to be taken every `LIMITS.timekeeperMs`. Runners could not be heard before it, nor while rounds
 * failed or did not come (a database that restarts, a machine that was suspended): that is no silence of theirs.
 */
export function createTimeRound(deps: Deps): () => Promise<void> {
  const now = (): number => deps.clock().getTime();
  let wellAt = now();
  let heardSince = new Date(wellAt);
  return async () => {
    if (!(await isReachable(deps.database))) return;
    const at = now();
    if (at - wellAt > LIMITS.heartbeatMs) heardSince = new Date(at);
    await ringAlarms(deps, heardSince);
    wellAt = now();
  };
}
