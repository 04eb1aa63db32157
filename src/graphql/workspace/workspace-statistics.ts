import { STATISTICS_DAYS } from "../../model/run/statistics.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { checkWindow, statisticsLoaderOf, StatisticsRef, windowArguments } from "../run/run-statistics.ts";

const statisticsLoader = statisticsLoaderOf((domain, caller, ids, window) => domain.statistics(caller, ids, window));

builder.objectField(WorkspaceRef, "statistics", (t) =>
  t.field({
    type: StatisticsRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The figures of the runs that ended within a time window. `null` if the caller may not read the runs of the workspace.",
    args: windowArguments(STATISTICS_DAYS.workspace),
    resolve: async ({ id }, { from, to }, { loaders }) => {
      checkWindow({ from, to }, STATISTICS_DAYS.workspace);
      const statistics = await loaders.load(statisticsLoader, { id, from, to });
      return statistics && { ...statistics, from, to };
    },
  }),
);
