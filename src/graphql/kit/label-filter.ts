import { LIMITS } from "../../model/kit/limits.ts";
import { isLabel, LABEL_WORDS } from "../../model/workspace/label.ts";
import { inputError } from "./errors.ts";

export const LABELS_FILTER_WORDS = `Only workspaces that have all of these labels, at most ${LIMITS.labelsPerWorkspace}. "key" matches each value of that key, "key:value" this value alone.`;

/** Refuses labels that no workspace can have. */
export function checkSelector(path: readonly string[], labels: readonly string[]): void {
  const max = LIMITS.labelsPerWorkspace;
  if (labels.length > max) throw inputError([{ path: [...path], message: `Give at most ${max} labels.` }]);
  const wrong = labels.findIndex((label) => !isLabel(label));
  if (wrong >= 0) throw inputError([{ path: [...path, String(wrong)], message: `A label ${LABEL_WORDS}.` }]);
}
