import { mutation } from "../kit/mutation.ts";
import { DriftReportRef } from "./drift-report.ts";

mutation("acknowledgeDrift", {
  description:
    "Records that people know of a drift. Until then the same drift sends no webhook and gets no run. Another drift, also one of the same attributes with other values, is reported as before.",
  argument: "The drift, and until when.",
  input: {
    description: "The drift that is known.",
    fields: (t) => ({
      reportId: t.id({ required: true, description: "A report of the drift that is open now." }),
      until: t.field({
        type: "DateTime",
        required: true,
        description: "When the acknowledgement ends: in the future, and within 366 days.",
      }),
      note: t.string({ description: "Why." }),
    }),
  },
  success: {
    description: "The drift is acknowledged.",
    fields: (t) => ({
      report: t.field({ type: DriftReportRef, description: "The report.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ acknowledgeDrift }, caller, { input }) => acknowledgeDrift(caller, { ...input, note: input.note ?? null }),
});
