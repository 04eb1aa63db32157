import { LIMITS } from "../../model/kit/limits.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import { RightsChanged } from "../../persistence/database/database.ts";
import { listDueSchedules } from "../../persistence/schedule/firing-store.ts";
import type { Deps } from "../kit/deps.ts";
import { fireSchedule } from "./fire-schedule.ts";

/**
 * Considers all schedules that are due. One that fails, or whose owner's rights change meanwhile, is considered again by the
 * next round.
 */
export async function dueSchedulesRound(deps: Deps, signal: AbortSignal): Promise<void> {
  const failed = new Set<string>();
  for (let more = true; more && !signal.aborted; ) {
    const due = await listDueSchedules(deps.database, deps.clock().toISOString(), LIMITS.schedulesByRound);
    const open = due.filter((id) => !failed.has(id));
    for (const id of open) {
      if (signal.aborted) return;
      failed.add(id);
      await fireSchedule(deps, id).catch((error: unknown) => {
        if (error instanceof RightsChanged) return;
        // The outcome is known only once the database is back.
        if (isConnectionLost(error)) throw error;
        deps.reportError(error, `the schedule ${id}`);
      });
    }
    // Those that failed fill no round of others.
    more = open.length > 0 && due.length === LIMITS.schedulesByRound;
  }
}
