import { STATISTICS_DAYS } from "../../model/run/statistics.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { WorkspaceRef } from "../kit/refs.ts";
import { StatisticsRef, windowOfStatistics } from "../run/run-statistics.ts";

builder.objectField(WorkspaceRef, "statistics", (t) =>
  t.field({
    type: StatisticsRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The figures of the runs that ended within a time window. `null` if the caller may not read the runs of the workspace.",
    ...windowOfStatistics(
      (domain, caller, ids, window) => domain.statistics(caller, ids, window),
      STATISTICS_DAYS.workspace,
    ),
  }),
);
