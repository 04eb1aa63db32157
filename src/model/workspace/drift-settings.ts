/** How a workspace is checked for drift, and what a finding leads to. */
import type { AutoApply } from "../plan/auto-apply.ts";
import type { RunKind, RunTrigger } from "../lifecycle/run-kind.ts";

/** PLAN: what a plan would change, and what else the configuration depends on. REFRESH_ONLY: all that changed. */
export const DRIFT_MODES = ["PLAN", "REFRESH_ONLY"] as const;
export type DriftMode = (typeof DRIFT_MODES)[number];

/** OFF: no run. PROPOSE: a run that undoes the drift waits for people. AUTO_SAFE: it needs none if it takes nothing away. */
export const RECONCILE_MODES = ["OFF", "PROPOSE", "AUTO_SAFE"] as const;
export type ReconcileMode = (typeof RECONCILE_MODES)[number];

/** Changes that are no drift. */
export interface DriftIgnoreRule {
  /** The addresses; `*` matches any characters. */
  addressGlob: string;
  /** A path such as `desired_capacity` or `tags.Name`, with all below it; `*`: every change of the resource. */
  attribute: string;
}

export interface DriftSettings {
  mode: DriftMode;
  reconcile: ReconcileMode;
  ignore: readonly DriftIgnoreRule[];
}

export const DEFAULT_DRIFT_SETTINGS: DriftSettings = { mode: "PLAN", reconcile: "OFF", ignore: [] };

interface KindOfRun {
  kind: RunKind;
  trigger: RunTrigger;
}

/** Whether a run is a check for drift. */
export function isDriftCheck({ trigger, kind }: KindOfRun): boolean {
  return trigger === "DRIFT" && kind === "PLAN";
}

/**
 * The plans of a run that need no person: those that its workspace allows, but for a run that undoes drift. That one has
 * the mode of the settings, which covers less.
 */
export function autoApplyOf(
  { trigger, kind }: KindOfRun,
  { autoApply, driftSettings }: { autoApply: AutoApply; driftSettings: DriftSettings },
): AutoApply {
  if (trigger !== "DRIFT" || kind !== "DEPLOY") return autoApply;
  return driftSettings.reconcile === "AUTO_SAFE" ? "NO_DESTROY" : "NEVER";
}
