import { LIMITS } from "../../model/kit/limits.ts";
import type { DriftIgnoreRule, DriftMode, DriftSettings, ReconcileMode } from "../../model/workspace/drift-settings.ts";
import type { InputCheck } from "../kit/input.ts";

/** Absent fields stay unchanged. */
export interface DriftSettingsInput {
  mode?: DriftMode | null | undefined;
  reconcile?: ReconcileMode | null | undefined;
  ignore?: readonly DriftIgnoreRule[] | null | undefined;
}

/** Checks how a workspace is checked for drift. */
export function checkDriftSettings(check: InputCheck, input: DriftSettingsInput | null | undefined): void {
  check.require(input !== null, "drift", "cannot be null.");
  if (input === null || input === undefined) return;
  for (const field of ["mode", "reconcile", "ignore"] as const) {
    check.require(input[field] !== null, `drift.${field}`, "cannot be null.");
  }
  const rules = input.ignore ?? [];
  const { driftIgnoreRules } = LIMITS;
  check.require(rules.length <= driftIgnoreRules, "drift.ignore", `must have at most ${driftIgnoreRules} entries.`);
  for (const [index, { addressGlob, attribute }] of rules.slice(0, driftIgnoreRules).entries()) {
    checkPattern(check, `drift.ignore.${index}.addressGlob`, addressGlob);
    checkPattern(check, `drift.ignore.${index}.attribute`, attribute);
    const isPath = attribute === "*" || !attribute.includes("*");
    check.require(isPath, `drift.ignore.${index}.attribute`, "must be a path such as `tags.Name`, or `*` alone.");
  }
}

function checkPattern(check: InputCheck, path: string, text: string): void {
  const { driftPatternLength } = LIMITS;
  const isPattern = text !== "" && text.length <= driftPatternLength && !/\p{Cc}/u.test(text) && text.isWellFormed();
  check.require(isPattern, path, `must have 1 to ${driftPatternLength} characters on one line.`);
}

/** Returns the merged settings; absent fields stay unchanged. */
export function driftSettingsAfter(before: DriftSettings, input: DriftSettingsInput | null | undefined): DriftSettings {
  if (input === null || input === undefined) return before;
  return {
    mode: input.mode ?? before.mode,
    reconcile: input.reconcile ?? before.reconcile,
    ignore: input.ignore?.map(({ addressGlob, attribute }) => ({ addressGlob, attribute })) ?? before.ignore,
  };
}
