/** Checks labels of workspaces, as settings and as selectors. */
import { LIMITS } from "../../model/kit/limits.ts";
import { isLabel, LABEL_WORDS, repeatedKey } from "../../model/workspace/label.ts";
import type { InputCheck } from "../kit/input.ts";

export type LabelsInput = readonly string[] | null | undefined;

/** Checks the labels that a workspace gets. Absent ones stay unchanged. */
export function checkLabels(check: InputCheck, labels: LabelsInput): void {
  check.require(labels !== null, "labels", "cannot be null: give an empty list.");
  const given = labels ?? [];
  const max = LIMITS.labelsPerWorkspace;
  if (given.length > max) return check.refuse("labels", `must have at most ${max} labels.`);
  for (const [index, label] of given.entries()) {
    check.require(isLabel(label), `labels.${index}`, `${LABEL_WORDS}.`);
  }
  const repeated = repeatedKey(toLabels(given));
  if (repeated === null) return;
  check.refuse("labels", `must name each key once. ${JSON.stringify(repeated.key.slice(0, 63))} has two values.`);
}

/** Returns labels as they are stored: sorted, each once. */
export function toLabels(labels: readonly string[]): string[] {
  return [...new Set(labels)].toSorted();
}

/** Checks labels that select workspaces: a `key` matches all values of that key. */
export function checkLabelSelector(check: InputCheck, field: string, labels: readonly string[]): void {
  const max = LIMITS.labelsPerWorkspace;
  if (labels.length > max) return check.refuse(field, `must have at most ${max} labels.`);
  for (const [index, label] of labels.entries()) {
    check.require(isLabel(label), `${field}.${index}`, `${LABEL_WORDS}.`);
  }
}
