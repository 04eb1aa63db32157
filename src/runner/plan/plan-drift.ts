/** Reads the changes from a plan that something else made. */
import { changedPaths, isSameOrEmpty } from "../../model/kit/changed-paths.ts";
import { isAtOrBelow } from "../../model/kit/value-path.ts";
import type { PlanContent } from "../../model/plan/plan.ts";
import { DRIFT_PATHS, type ResourceDrift } from "../../model/plan/resource-drift.ts";
import type { Masker } from "../mask/masker.ts";
import { attributePath } from "./attribute-path.ts";
import { asJson, maskJson } from "./mask-json.ts";
import type { JsonResourceChange, PlanJson } from "./plan-json.ts";
import { markedPaths, mergeMarks, toMarks, withoutMarked } from "./plan-marks.ts";

/**
 * Gives the resources that were changed or are gone. One that only moved is none of them, nor is one whose provider reads an
 * empty list or map where the state has null: that is so after many an apply, and would be reported each time.
 */
export function foundDrift(
  { resource_drift: drifted = [], relevant_attributes: relevant }: PlanJson,
  masker: Masker,
): Pick<PlanContent, "drift"> {
  const attributes = new Map<string, string[]>();
  for (const { resource, attribute } of relevant) {
    const paths = attributes.get(resource) ?? [];
    attributes.set(resource, [...paths, attributePath(attribute)]);
  }
  const drift = drifted.flatMap((resource) => {
    const [action] = resource.change.actions;
    if (action !== "delete" && (action !== "update" || isOnlyEmpty(resource))) return [];
    return [toDrift(resource, attributes, masker)];
  });
  return drift.length === 0 ? {} : { drift };
}

/** Whether values differ, but only by being null or empty. */
function isOnlyEmpty({ change: { before, after } }: JsonResourceChange): boolean {
  return changedPaths(before, after, 1).length > 0 && changedPaths(before, after, 1, isSameOrEmpty).length === 0;
}

function toDrift(
  { address, type, change }: JsonResourceChange,
  attributes: ReadonlyMap<string, readonly string[]>,
  masker: Masker,
): ResourceDrift {
  const isGone = change.actions[0] === "delete";
  const sensitive = mergeMarks(toMarks(change.before_sensitive), toMarks(change.after_sensitive));
  const paths = isGone ? [] : changedPaths(change.before, change.after, DRIFT_PATHS, isSameOrEmpty);
  const needed = attributes.get(address) ?? attributes.get(withoutKey(address)) ?? [];
  const maskName = (name: string) => masker.maskName(name);
  const shown = (value: unknown) => maskJson(withoutMarked(asJson(value) ?? null, sensitive), masker);
  return {
    address: masker.maskAddress(address),
    type,
    action: isGone ? "DELETE" : "UPDATE",
    paths: paths.map(maskName),
    relevant: isGone ? needed.length > 0 : paths.some((path) => needed.some((other) => overlap(path, other))),
    before: shown(change.before),
    after: shown(change.after),
    sensitivePaths: markedPaths(sensitive).map(maskName),
  };
}

/** Whether one of two paths is the other, or lies below it. */
function overlap(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one);
}

/** The address of a resource without the key of its instance. */
function withoutKey(address: string): string {
  return address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/, "");
}
