import { type Finding, isOpenFailure } from "../../model/policy/verdict.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { JUDGE_SOURCES } from "../lifecycle/judge-sources.ts";
import { findHeldOverrides, type HeldOverride } from "../policy/held-overrides.ts";
import { findWaivers } from "../policy/waivers.ts";

/** Findings about a plan, with the status that exceptions and overrides of earlier plans give them, and those overrides. */
export interface PlanFindings {
  findings: readonly Finding[];
  held: readonly HeldOverride[];
}

/** Returns what was found about the newest plan of a run, with the exceptions and the earlier overrides that hold for it now. */
export async function readPlanFindings(reader: Reader, run: Run, at: Date): Promise<PlanFindings> {
  const found: Finding[] = [];
  for (const source of JUDGE_SOURCES) found.push(...(await source.read(reader, run, "PLAN")).findings);
  return relieve(reader, run, found, await findWaivers(reader, run, found, at.toISOString()));
}

/** Takes out of the count what exceptions cover, and what overrides of earlier plans hold for. */
export async function relieve(
  reader: Reader,
  run: Run,
  found: readonly Finding[],
  waivers: ReadonlyMap<string, string>,
): Promise<PlanFindings> {
  const open = found.filter((finding) => isOpenFailure(finding) && !waivers.has(finding.id));
  const held = await findHeldOverrides(reader, run, open);
  const overridden = new Set(held.flatMap(({ failures }) => failures.map(({ id }) => id)));
  const findings = found.map((finding): Finding => {
    if (waivers.has(finding.id)) return { ...finding, status: "WAIVED" };
    return overridden.has(finding.id) ? { ...finding, status: "OVERRIDDEN" } : finding;
  });
  return { findings, held };
}
