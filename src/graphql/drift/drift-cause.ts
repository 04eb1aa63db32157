import { runCauseRef } from "../run/run-cause.ts";
import { driftReportLoader, DriftReportRef } from "./drift-report.ts";

runCauseRef("DRIFT", "DriftCause").implement({
  description: "A check found drift, and the run undoes it.",
  fields: (t) => ({
    report: t.field({
      type: DriftReportRef,
      nullable: true,
      description: "The report of the check. `null` if the caller may not read it.",
      resolve: ({ reportId }, _args, { loaders }) => loaders.load(driftReportLoader, reportId),
    }),
  }),
});
