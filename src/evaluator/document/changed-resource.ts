/** The resource changes of a plan, as policies see them. */
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/json.ts";
import type { ResourceAction } from "../../model/plan/plan.ts";
import { EvaluationError } from "../kit/policy-report.ts";

/** A resource change with the names that rules use. Parts of the plan are shared, not copied. */
export interface ChangedResource {
  address: string;
  type: string;
  action: ResourceAction;
  /** The value of the variable `resource`. */
  value: { [key: string]: Json };
}

const ACTIONS: Readonly<Record<string, ResourceAction>> = {
  "no-op": "NO_OP",
  create: "CREATE",
  read: "READ",
  update: "UPDATE",
  delete: "DELETE",
  forget: "FORGET",
};

/** Maps the engine's actions as plans of the API have them: two actions are a replacement. */
function toAction(actions: readonly Json[]): ResourceAction | undefined {
  const [first = "no-op"] = actions;
  if (actions.length > 1) return "REPLACE";
  return typeof first === "string" && Object.hasOwn(ACTIONS, first) ? ACTIONS[first] : undefined;
}

/** Lists the resource changes of a plan in its order. Throws if the plan has another shape. */
export function resourcesOf(plan: Json): ChangedResource[] {
  if (plan === null) return [];
  const changes = isRecord(plan) ? (plan["resource_changes"] ?? []) : null;
  if (!Array.isArray(changes)) throw new EvaluationError("SHAPE", "The plan has no list `resource_changes`.");
  return changes.map((change: Json, index) => {
    const resource = toResource(change);
    if (resource === null) throw new EvaluationError("SHAPE", `The plan's resource change ${index} is not known.`);
    return resource;
  });
}

function toResource(entry: Json): ChangedResource | null {
  if (!isRecord(entry)) return null;
  const { address, type, name, change } = entry;
  if (typeof address !== "string" || typeof type !== "string") return null;
  if (!isRecord(change) || !Array.isArray(change["actions"])) return null;
  const action = toAction(change["actions"]);
  if (action === undefined) return null;
  const value: { [key: string]: Json } = {
    address,
    type,
    name: name ?? null,
    index: entry["index"] ?? null,
    module: entry["module_address"] ?? null,
    mode: entry["mode"] ?? "managed",
    provider: entry["provider_name"] ?? null,
    action,
    reason: entry["action_reason"] ?? null,
    previousAddress: entry["previous_address"] ?? null,
    deposed: entry["deposed"] ?? null,
    imported: (change["importing"] ?? null) !== null,
    before: change["before"] ?? null,
    after: change["after"] ?? null,
    unknown: change["after_unknown"] ?? null,
    sensitive: change["after_sensitive"] ?? null,
    replacePaths: change["replace_paths"] ?? [],
  };
  return { address, type, action, value };
}
