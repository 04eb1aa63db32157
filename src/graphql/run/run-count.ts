import type { Statistics } from "../../model/run/statistics.ts";
import { builder } from "../kit/builder.ts";
import { RunOutcomeEnum, RunStatusEnum } from "./run-enums.ts";

export const RunCountRef = builder.objectRef<Statistics["runs"][number]>("RunCount").implement({
  description: "The number of runs with one status and outcome.",
  fields: (t) => ({
    status: t.expose("status", { type: RunStatusEnum, description: "The status." }),
    outcome: t.expose("outcome", {
      type: RunOutcomeEnum,
      nullable: true,
      description: "The outcome. `null` unless the status is FINISHED.",
    }),
    count: t.exposeInt("count", { description: "The number of runs." }),
  }),
});
