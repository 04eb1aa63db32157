/** Going back after an apply that does not work: when, which plans it applies on its own, and what speaks against it. Pure. */
import type { AutoApply, AutoApplyPlan } from "../plan/auto-apply.ts";
import type { EngineVersion } from "../plan/plan.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RollbackRisk } from "./rollback-risk.ts";
import type { Run } from "./run.ts";

/** Returns the risks of the plan of a rollback. */
export function planRisks(plan: AutoApplyPlan): RollbackRisk[] {
  const takesAway = plan.destructions + plan.replacements + plan.forgets > 0;
  return [...(takesAway ? (["DESTROYS"] as const) : []), ...(plan.complete ? [] : (["INCOMPLETE_PLAN"] as const))];
}

/** The properties of a run by which it is known as a rollback. */
export type Caused = Pick<Run, "kind" | "trigger" | "cause">;

/** Whether a run goes back to an earlier configuration. */
export function isRollback({ kind, trigger, cause }: Caused): boolean {
  return cause?.type === "ROLLBACK" || (trigger === "ROLLBACK" && kind === "DEPLOY");
}

/**
 * Whether a workspace goes back after a run. Never after a rollback, so that there is one in a chain; nor where what was
 * red was red before, or where a person or a rule holds the workspace.
 */
export function goesBack(
  run: Caused,
  workspace: Pick<Workspace, "rollback" | "lock" | "paused">,
  { baselinePassed, isFrozen }: { baselinePassed: boolean | null; isFrozen: boolean },
): boolean {
  if (workspace.rollback.mode === "OFF" || run.kind === "DESTROY" || isRollback(run)) return false;
  return baselinePassed !== false && workspace.lock === null && !workspace.paused && !isFrozen;
}

/** Returns the plans that a run may apply without a person. A rollback applies only what takes nothing away. */
export function rollbackAutoApply({ cause }: Pick<Run, "cause">, ofWorkspace: AutoApply): AutoApply {
  if (cause?.type !== "ROLLBACK") return ofWorkspace;
  return cause.mode === "AUTO_SAFE" && cause.risks.length === 0 ? "NO_DESTROY" : "NEVER";
}

/** Returns the providers that a lock file locks in an older version than another one. */
export function downgradedProviders(then: string, now: string): string[] {
  const current = lockedProviders(now);
  return [...lockedProviders(then)].flatMap(([name, version]) => {
    const newer = current.get(name);
    return newer !== undefined && isOlder(version, newer) ? [name] : [];
  });
}

/** Reads the providers of a `.terraform.lock.hcl` with their versions. */
function lockedProviders(text: string): Map<string, string> {
  const blocks = text.matchAll(/^provider "([^"\n]{1,300})" \{[^}]*?^\s*version\s*=\s*"([^"\n]{1,100})"/gm);
  return new Map([...blocks].map(([, name = "", version = ""]) => [name, version]));
}

/** Whether an engine may not understand a configuration or a state that was made by another one. */
export function isEngineDowngrade(then: EngineVersion, now: EngineVersion): boolean {
  return then.name !== now.name || isOlder(then.version, now.version);
}

function isOlder(one: string, other: string): boolean {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  // A version before a release is older than the release.
  return one.includes("-") && !other.includes("-");
}

function numbersOf(version: string): number[] {
  const [release = ""] = version.split(/[-+]/);
  return release.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
