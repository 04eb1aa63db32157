import { STATISTICS_DAYS } from "../../model/run/statistics.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { OrganizationRef } from "../kit/refs.ts";
import { checkWindow, statisticsLoaderOf, StatisticsRef, windowArguments } from "../run/run-statistics.ts";

const statisticsLoader = statisticsLoaderOf((domain, caller, ids, window) =>
  domain.organizationStatistics(caller, ids, window),
);

builder.objectField(OrganizationRef, "statistics", (t) =>
  t.field({
    type: StatisticsRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The figures of the runs of the organization that ended within a time window, of those that the caller may read.",
    args: windowArguments(STATISTICS_DAYS.organization),
    resolve: async ({ id }, { from, to }, { loaders }) => {
      checkWindow({ from, to }, STATISTICS_DAYS.organization);
      const statistics = await loaders.load(statisticsLoader, { id, from, to });
      return statistics && { ...statistics, from, to };
    },
  }),
);
