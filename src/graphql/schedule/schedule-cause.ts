import { runCauseRef } from "../run/run-cause.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { ScheduleRef, scheduleLoader } from "./schedule.ts";

runCauseRef("SCHEDULE", "ScheduleCause").implement({
  description: "A schedule was due, or was run by hand.",
  fields: (t) => ({
    schedule: t.field({
      type: ScheduleRef,
      nullable: true,
      description: "The schedule. `null` if it was deleted, or the caller may not read it.",
      extensions: LEAVES_WORKSPACE,
      resolve: ({ scheduleId }, _args, { loaders }) => loaders.load(scheduleLoader, scheduleId),
    }),
    dueAt: t.expose("dueAt", { type: "DateTime", description: "The due time." }),
  }),
});
