import { ERROR_REFS } from "../kit/user-error.ts";
import { builder } from "../kit/builder.ts";
import { PlanRef } from "../kit/refs.ts";
import { readNewestPlan } from "./run-relations.ts";

builder.objectField(ERROR_REFS.StalePlanError, "current", (t) =>
  t.field({
    type: PlanRef,
    nullable: true,
    description: "The newest plan of `run`, to compare with the version that was seen. `null` before the first plan.",
    resolve: ({ run }, _args, context) => readNewestPlan(context, run),
  }),
);
