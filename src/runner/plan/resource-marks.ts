/** Marks of resources, collected over all parts of a plan. */
import { isRecord } from "../../model/kit/is-record.ts";
import { itemsOf, type PlanTree } from "./plan-tree.ts";
import { type Marks, marksAnything, mergeMarks, toMarks } from "./plan-marks.ts";

/**
 * The sensitive parts of resources. A value that has just become sensitive is sensitive in its old form too, and a
 * constant of the configuration is sensitive where an instance of its resource is.
 */
export interface ResourceMarks {
  /** Marks of an instance, by its address; false if nothing is marked. */
  ofInstance(address: string): Marks;
  /** Marks of all instances of a resource in the configuration, by `configurationKey`. */
  ofResource(key: string): Marks;
}

/** Collects the marks of a plan's changes and states. */
export function collectMarks(plan: PlanTree): ResourceMarks {
  const instances = new Map<string, Marks>();
  const resources = new Map<string, Marks>();
  const take = (resource: PlanTree, module: unknown, marks: Marks): void => {
    const { address, mode, type, name } = resource;
    if (typeof address !== "string" || !marksAnything(marks)) return;
    instances.set(address, mergeMarks(instances.get(address) ?? false, marks));
    const key = configurationKey(withoutKeys(typeof module === "string" ? module : ""), { mode, type, name });
    resources.set(key, mergeMarks(resources.get(key) ?? false, marks));
  };
  for (const change of changesOf(plan)) take(change, change["module_address"], marksOfChange(change["change"]));
  for (const values of [plan["planned_values"], isRecord(plan["prior_state"]) && plan["prior_state"]["values"]]) {
    if (isRecord(values))
      eachResource(values["root_module"], (resource, module) => {
        take(resource, module, toMarks(resource["sensitive_values"]));
      });
  }
  return {
    ofInstance: (address) => instances.get(address) ?? false,
    ofResource: (key) => resources.get(key) ?? false,
  };
}

/** Gives the marks of both sides of a change, merged. */
function marksOfChange(change: unknown): Marks {
  if (!isRecord(change)) return false;
  return mergeMarks(toMarks(change["before_sensitive"]), toMarks(change["after_sensitive"]));
}

/** Gives the key of a resource in the configuration: its module without keys of instances, its mode, type and name. */
export function configurationKey(
  module: string,
  { mode, type, name }: { mode?: unknown; type?: unknown; name?: unknown },
): string {
  return [module, mode === "data" ? "data" : "managed", type, name].map(String).join(" ");
}

/** Matches the key of an instance in an address. */
const KEY = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g;

/** Gives the address of a resource or a module in the configuration, by that of an instance. */
export function withoutKeys(address: string): string {
  return address.replace(KEY, "");
}

/** Lists the changes of resources in all parts of a plan. */
function changesOf(plan: PlanTree): PlanTree[] {
  const deferred = itemsOf(plan["deferred_changes"]).map((item) => item["resource_change"]);
  return [...itemsOf(plan["resource_changes"]), ...itemsOf(plan["resource_drift"]), ...deferred.filter(isRecord)];
}

function eachResource(module: unknown, take: (resource: PlanTree, module: unknown) => void): void {
  if (!isRecord(module)) return;
  for (const resource of itemsOf(module["resources"])) take(resource, module["address"]);
  for (const child of itemsOf(module["child_modules"])) eachResource(child, take);
}
