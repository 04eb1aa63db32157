import { createHash } from "node:crypto";
import { isAtOrBelow } from "../../model/kit/value-path.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { type DriftFindings, findDrift, type Ignores } from "../../model/workspace/drift-report.ts";
import type { DriftIgnoreRule, DriftSettings } from "../../model/workspace/drift-settings.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listFoundChanges, listPlannedChanges } from "../../persistence/plan/drift-store.ts";
import { addressPattern } from "../kit/patterns.ts";

/** The result of a check: the drift that counts, and a digest that is equal for equal drift. */
export interface ReadDrift extends DriftFindings {
  outputs: string[];
  fingerprint: string;
}

/** Reads the drift that the plan of a check shows, by the settings of its workspace. */
export async function readDrift(
  tx: Transaction,
  plan: Pick<Plan, "id" | "outputChanges">,
  { mode, ignore }: DriftSettings,
): Promise<ReadDrift> {
  const [planned, found] = [await listPlannedChanges(tx, plan.id), await listFoundChanges(tx, plan.id)];
  const findings = findDrift(planned, found, { mode, ignores: ignoresOf(ignore) });
  const changed = plan.outputChanges.filter(({ action }) => action !== "READ" && action !== "NO_OP");
  const outputs = changed.map(({ name }) => name).toSorted();
  return { ...findings, outputs, fingerprint: fingerprintOf(findings, outputs) };
}

/** Compiles rules: one names a resource, or an attribute with all below it. */
function ignoresOf(rules: readonly DriftIgnoreRule[]): Ignores {
  const compiled = rules.map(({ addressGlob, attribute }) => ({ matches: addressPattern(addressGlob), attribute }));
  return (address, path) =>
    compiled.some(({ matches, attribute }) => matches(address) && (attribute === "*" || isAtOrBelow(path, attribute)));
}

/** Returns the values that identify the drift of a resource. */
export function partOf({
  address,
  change,
  plannedAction,
  paths,
  digest,
}: DriftFindings["resources"][number]): unknown[] {
  return [address, change, plannedAction, paths, digest];
}

function fingerprintOf({ resources }: DriftFindings, outputs: readonly string[]): string {
  if (resources.length + outputs.length === 0) return "";
  const parts = resources.map(partOf);
  return createHash("sha256")
    .update(JSON.stringify([parts, outputs]))
    .digest("hex");
}
