import type { CostEstimate, ResourceCost } from "../../model/policy/cost-estimate.ts";
import { builder } from "../kit/builder.ts";

const ResourceCostRef = builder.objectRef<ResourceCost>("ResourceCost").implement({
  description: "The estimated cost of a resource.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "The address, as the tool names it." }),
    monthlyBefore: t.expose("monthlyBefore", { type: "Decimal", description: "The monthly cost without the plan." }),
    monthlyAfter: t.expose("monthlyAfter", { type: "Decimal", description: "The monthly cost with the plan applied." }),
  }),
});

export const CostEstimateRef = builder.objectRef<CostEstimate>("CostEstimate").implement({
  description: "The cost of a plan, as a tool estimates it.",
  fields: (t) => ({
    currency: t.exposeString("currency", { description: "The currency, by its code of ISO 4217, such as USD." }),
    monthlyBefore: t.expose("monthlyBefore", { type: "Decimal", description: "The monthly cost without the plan." }),
    monthlyAfter: t.expose("monthlyAfter", { type: "Decimal", description: "The monthly cost with the plan applied." }),
    monthlyDelta: t.expose("monthlyDelta", {
      type: "Decimal",
      description: "By how much the plan raises the monthly cost; negative if it lowers it.",
    }),
    source: t.exposeString("source", { description: "The tool that made the estimate, such as infracost." }),
    resources: t.field({
      type: [ResourceCostRef],
      description: "The resources with the largest changes of their cost, at most 100.",
      resolve: ({ resources }) => resources,
    }),
    unsupported: t.exposeInt("unsupported", {
      description: "The number of resources for which the tool has no price. The amounts leave them out.",
    }),
  }),
});
