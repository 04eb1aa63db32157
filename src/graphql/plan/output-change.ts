import type { OutputCounts } from "../../model/plan/output-counts.ts";
import type { OutputChange, OutputValues } from "../../model/plan/plan.ts";
import { builder } from "../kit/builder.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { loaderOf } from "../kit/loader.ts";
import { ResourceActionEnum } from "./resource-change.ts";

const outputValuesLoader = loaderOf((domain, caller, ids) => domain.outputValues(caller, ids));

type Listed = OutputChange & { planId: string };

async function valuesOf({ planId, name }: Listed, { loaders }: GraphqlContext): Promise<OutputValues | null> {
  const values = await loaders.load(outputValuesLoader, planId);
  return values?.find((output) => output.name === name) ?? null;
}

export const OutputCountsRef = builder.objectRef<OutputCounts>("OutputCounts").implement({
  description: "The outputs that a plan changes, counted.",
  fields: (t) => ({
    additions: t.exposeInt("additions", { description: "The number of outputs to create." }),
    changes: t.exposeInt("changes", { description: "The number of outputs whose value changes." }),
    destructions: t.exposeInt("destructions", { description: "The number of outputs to remove." }),
  }),
});

export const OutputChangeRef = builder.objectRef<Listed>("OutputChange").implement({
  description: "One output that a plan changes.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the output." }),
    action: t.expose("action", { type: ResourceActionEnum, description: "The change of the output." }),
    sensitive: t.exposeBoolean("sensitive", { description: "Whether the value, or a part of it, is hidden." }),
    before: t.field({
      type: "JSON",
      nullable: true,
      description:
        "The value before the apply. Sensitive parts are null. `null` if the output does not exist, or the plan was stored without values.",
      resolve: async (output, _args, context) => (await valuesOf(output, context))?.before ?? null,
    }),
    after: t.field({
      type: "JSON",
      nullable: true,
      description:
        "The value after the apply. Sensitive parts are null, and so are those known only after the apply (`unknown`). `null` if the output is removed, or the plan was stored without values.",
      resolve: async (output, _args, context) => (await valuesOf(output, context))?.after ?? null,
    }),
    unknown: t.boolean({
      description: "Whether the value, or a part of it, is known only after the apply.",
      resolve: async (output, _args, context) => (await valuesOf(output, context))?.unknown ?? false,
    }),
  }),
});
