import { STATISTICS_DAYS } from "../../model/run/statistics.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { OrganizationRef } from "../kit/refs.ts";
import { StatisticsRef, windowOfStatistics } from "../run/run-statistics.ts";

builder.objectField(OrganizationRef, "statistics", (t) =>
  t.field({
    type: StatisticsRef,
    nullable: true,
    extensions: requiredPermissions("RUN_READ"),
    description:
      "The figures of the runs of the organization that ended within a time window, of those that the caller may read.",
    ...windowOfStatistics(
      (domain, caller, ids, window) => domain.organizationStatistics(caller, ids, window),
      STATISTICS_DAYS.organization,
    ),
  }),
);
