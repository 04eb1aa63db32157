import { isRecord } from "../../model/kit/is-record.ts";
import { eachSensitiveText } from "../../model/state/sensitive-attributes.ts";
import type { JsonChange, JsonValues, PlanJson } from "./plan-json.ts";
import { eachMarked, eachMarkedBeside, toMarks } from "./plan-marks.ts";

/** Gives every text of a plan that the engine treats as sensitive: `show -json` has them in clear. */
export function sensitiveTexts(plan: PlanJson): string[] {
  const found = new Set<string>();
  const take = (text: string) => void found.add(text);
  const changes = [...plan.resource_changes, ...(plan.resource_drift ?? [])].map(({ change }) => change);
  for (const change of [...changes, ...Object.values(plan.output_changes)]) takeChange(change, take);
  for (const deferred of plan.deferred_changes ?? []) takeDeferred(deferred, take);
  for (const { config_values, config_sensitive } of plan.action_invocations ?? []) {
    eachMarked(config_values, toMarks(config_sensitive), take);
  }
  for (const values of [plan.planned_values, plan.prior_state?.values]) takeValues(values, take);
  takeModule(plan.configuration?.root_module, plan.variables, take);
  return [...found];
}

/** Gives the sensitive texts of a state as the engine stores it (format 4). */
export function sensitiveStateTexts(state: unknown): string[] {
  const found = new Set<string>();
  const take = (text: string) => void found.add(text);
  if (!isRecord(state)) return [];
  for (const [, output] of entriesOf(state["outputs"])) {
    if (isRecord(output)) eachMarked(output["value"], output["sensitive"] === true, take);
  }
  for (const resource of asArray(state["resources"])) {
    if (!isRecord(resource)) continue;
    for (const instance of asArray(resource["instances"])) {
      if (isRecord(instance)) eachSensitiveText(instance["attributes"], instance["sensitive_attributes"], take);
    }
  }
  return [...found];
}

/**
 * Takes the marked values of both sides, and the values at the same paths on the other side. A value that has just become
 * sensitive is sensitive in its old form too, and the engine shows neither.
 */
function takeChange({ before, after, ...change }: JsonChange, take: (text: string) => void): void {
  const [was, is] = [toMarks(change.before_sensitive), toMarks(change.after_sensitive)];
  eachMarked(before, was, take);
  eachMarked(after, is, take);
  eachMarkedBeside(before, { value: after, marks: is }, take);
  eachMarkedBeside(after, { value: before, marks: was }, take);
}

function takeDeferred(deferred: unknown, take: (text: string) => void): void {
  const resource = isRecord(deferred) ? deferred["resource_change"] : null;
  const change = isRecord(resource) ? resource["change"] : null;
  if (isRecord(change)) takeChange({ ...change, actions: [] }, take);
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

/** Takes sensitive variables: their defaults, the root module's values, and constants in calls of modules. */
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

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
