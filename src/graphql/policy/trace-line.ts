import type { TraceLine } from "../../model/policy/evaluator.ts";
import { builder } from "../kit/builder.ts";

export const PolicyTraceLineRef = builder.objectRef<TraceLine>("PolicyTraceLine").implement({
  description: "A part of an expression with its value.",
  fields: (t) => ({
    expression: t.exposeString("expression", { description: "The part of the expression." }),
    value: t.exposeString("value", { description: "Its value, as text." }),
  }),
});
