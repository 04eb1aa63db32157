/** What was: of a run, and of the runs of a workspace. */
import { mayAnywhere } from "../../model/people/permission.ts";
import { timelineOf } from "../../model/run/timeline.ts";
import { listStatusChanges } from "../../persistence/run/run-event-store.ts";
import { readStatistics } from "../../persistence/workspace/statistics-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { Queries } from "../domain.ts";

export function historyQueries({ database }: Deps): Pick<Queries, "timelines" | "statistics"> {
  return {
    async timelines(caller, runs) {
      if (runs.length === 0 || !mayAnywhere(caller, "run:read")) return runs.map(() => []);
      const changes = await listStatusChanges(
        database,
        runs.map(({ id }) => id),
      );
      return runs.map((run, index) => timelineOf(run, changes[index] ?? []));
    },
    statistics: async (caller, ids, window) =>
      ids.length === 0 || !mayAnywhere(caller, "run:read")
        ? ids.map(() => null)
        : readStatistics(database, ids, window),
  };
}
