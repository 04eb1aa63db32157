import { z } from "zod";
import { parseExactJson } from "../../model/kit/exact-json.ts";
import { isRecord } from "../../model/kit/is-record.ts";
import type { PlanTree } from "./plan-tree.ts";

const changeSchema = z.object({
  actions: z.array(z.string()),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  after_unknown: z.unknown().optional(),
  before_sensitive: z.unknown().optional(),
  after_sensitive: z.unknown().optional(),
  importing: z.unknown().optional(),
  replace_paths: z.array(z.array(z.unknown())).optional(),
});
export type JsonChange = z.infer<typeof changeSchema>;

const resourceChangeSchema = z.object({
  address: z.string(),
  previous_address: z.string().optional(),
  module_address: z.string().optional(),
  type: z.string(),
  name: z.string(),
  deposed: z.string().optional(),
  index: z.union([z.string(), z.number()]).optional(),
  provider_name: z.string().optional(),
  action_reason: z.string().optional(),
  change: changeSchema,
});
export type JsonResourceChange = z.infer<typeof resourceChangeSchema>;

const actionInvocationSchema = z.object({
  address: z.string(),
  type: z.string(),
  lifecycle_action_trigger: z
    .object({ triggering_resource_address: z.string().optional(), action_trigger_event: z.string().optional() })
    .nullish(),
  config_values: z.unknown().optional(),
  config_sensitive: z.unknown().optional(),
});

const outputsSchema = z.record(
  z.string(),
  z.object({ sensitive: z.boolean().default(false), value: z.unknown().optional() }),
);

/** Parses modules as unknown: they nest, and a large state has many, so they are walked by hand. */
const valuesSchema = z.object({ outputs: outputsSchema.optional(), root_module: z.unknown().optional() });
export type JsonValues = z.infer<typeof valuesSchema>;

const planSchema = z.object({
  format_version: z.string(),
  complete: z.boolean().optional(),
  applyable: z.boolean().optional(),
  variables: z.record(z.string(), z.object({ value: z.unknown().optional() })).optional(),
  planned_values: valuesSchema.optional(),
  prior_state: z.object({ values: valuesSchema.optional() }).optional(),
  resource_drift: z.array(resourceChangeSchema).optional(),
  relevant_attributes: z
    .array(z.object({ resource: z.string(), attribute: z.array(z.unknown()).default([]) }))
    .default([]),
  resource_changes: z.array(resourceChangeSchema).default([]),
  output_changes: z.record(z.string(), changeSchema).default({}),
  deferred_changes: z.array(z.unknown()).optional(),
  action_invocations: z.array(actionInvocationSchema).optional(),
  checks: z.unknown().optional(),
  configuration: z.object({ root_module: z.unknown().optional() }).optional(),
});
/** A saved plan as `show -json` describes it: the parts that the runner reads. */
export type PlanJson = z.infer<typeof planSchema>;

/**
 * Parses the engine's description of a plan (format 1.x). Gives the parts that the runner reads, and all of it. Numbers
 * are as `parseExactJson` gives them.
 */
export function parsePlanJson(text: string): { plan: PlanJson; whole: PlanTree } {
  const whole = parseExactJson(text);
  const plan = planSchema.parse(whole);
  if (!plan.format_version.startsWith("1.")) {
    throw new Error(`The engine describes the plan in format ${plan.format_version}; the runner reads 1.x`);
  }
  return { plan, whole: isRecord(whole) ? whole : {} };
}

/** Gives the addresses of all resource instances in a plan, changed or not, and of data sources that were read. */
export function instancesOf({ resource_changes, prior_state }: PlanJson): string[] {
  const addresses = resource_changes.map(({ address }) => address);
  return [...new Set([...addresses, ...addressesBelow(prior_state?.values?.root_module)])];
}

function addressesBelow(module: unknown): string[] {
  if (!isRecord(module)) return [];
  const [resources, modules] = [module["resources"], module["child_modules"]];
  const own = Array.isArray(resources)
    ? resources.map((resource: unknown) => isRecord(resource) && resource["address"])
    : [];
  return [
    ...own.filter((address) => typeof address === "string"),
    ...(Array.isArray(modules) ? modules.flatMap(addressesBelow) : []),
  ];
}

/** Gives the current and previous addresses of all resources that a plan changes, and of the actions that it invokes. */
export function addressesOf({ resource_changes, resource_drift = [], action_invocations = [] }: PlanJson): string[] {
  const resources = [...resource_changes, ...resource_drift];
  const invoked = action_invocations.map(({ address }) => address);
  return [...resources.flatMap(({ address, previous_address }) => [address, previous_address ?? address]), ...invoked];
}
