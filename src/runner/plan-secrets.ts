import { isRecord, type JsonChange, type JsonValues, type PlanJson } from "./plan-json.ts";
import { eachMarked, mergeMarks, toMarks } from "./plan-marks.ts";

/** Every text in a plan that the engine treats as sensitive: `show -json` has them in clear. */
export function sensitiveTexts(plan: PlanJson): string[] {
  const found = new Set<string>();
  const take = (text: string) => void found.add(text);
  const changes = [...plan.resource_changes, ...(plan.resource_drift ?? [])].map(({ change }) => change);
  for (const change of [...changes, ...Object.values(plan.output_changes)]) takeChange(change, take);
  for (const values of [plan.planned_values, plan.prior_state?.values]) takeValues(values, take);
  takeModule(plan.configuration?.root_module, plan.variables, take);
  return [...found];
}

/** The sensitive texts in a state as the engine stores it (format 4). */
export function sensitiveStateTexts(state: unknown): string[] {
  const found = new Set<string>();
  const take = (text: string) => void found.add(text);
  if (!isRecord(state)) return [];
  if (isRecord(state["outputs"])) {
    for (const output of Object.values(state["outputs"])) {
      if (isRecord(output)) eachMarked(output["value"], output["sensitive"] === true, take);
    }
  }
  for (const resource of asArray(state["resources"])) {
    if (!isRecord(resource)) continue;
    for (const instance of asArray(resource["instances"])) {
      if (!isRecord(instance)) continue;
      for (const path of asArray(instance["sensitive_attributes"])) {
        eachMarked(valueAt(instance["attributes"], asArray(path)), true, take);
      }
    }
  }
  return [...found];
}

/** Marked before or after: what was sensitive once is hidden on both sides. */
function takeChange(change: JsonChange, take: (text: string) => void): void {
  const marks = mergeMarks(toMarks(change.before_sensitive), toMarks(change.after_sensitive));
  eachMarked(change.before, marks, take);
  eachMarked(change.after, marks, take);
}

function takeValues(values: JsonValues | undefined, take: (text: string) => void): void {
  for (const output of Object.values(values?.outputs ?? {})) eachMarked(output.value, output.sensitive, take);
  takeModuleValues(values?.root_module, take);
}

function takeModuleValues(module: unknown, take: (text: string) => void): void {
  if (!isRecord(module)) return;
  for (const resource of asArray(module["resources"])) {
    if (isRecord(resource)) eachMarked(resource["values"], toMarks(resource["sensitive_values"]), take);
  }
  for (const child of asArray(module["child_modules"])) takeModuleValues(child, take);
}

/** Sensitive variables: their defaults, the root module's values, and constants in calls of modules. */
function takeModule(module: unknown, values: PlanJson["variables"], take: (text: string) => void): void {
  if (!isRecord(module)) return;
  for (const [name, variable] of entriesOf(module["variables"])) {
    if (!isRecord(variable) || variable["sensitive"] !== true) continue;
    eachMarked(variable["default"], true, take);
    eachMarked(values?.[name]?.value, true, take);
  }
  for (const [, call] of entriesOf(module["module_calls"])) {
    if (!isRecord(call)) continue;
    const constants = entriesOf(call["expressions"]).map(([name, expression]) => {
      return [name, { value: isRecord(expression) ? expression["constant_value"] : undefined }] as const;
    });
    takeModule(call["module"], Object.fromEntries(constants), take);
  }
}

/** Steps are `{type: "get_attr", value: name}` or `{type: "index", value: {value: key}}`. */
function valueAt(value: unknown, path: unknown[]): unknown {
  let at = value;
  for (const step of path) {
    if (!isRecord(step)) return undefined;
    const key = isRecord(step["value"]) ? step["value"]["value"] : step["value"];
    if (Array.isArray(at) && typeof key === "number") at = at[key];
    else if (isRecord(at) && typeof key === "string" && Object.hasOwn(at, key)) at = at[key];
    else return at;
  }
  return at;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
