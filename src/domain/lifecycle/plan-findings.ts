import { type Finding, isOpenFailure } from "../../model/policy/verdict.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { JUDGE_SOURCES } from "./judge-sources.ts";
import { findHeldOverrides, type HeldOverride } from "../policy/held-overrides.ts";
import type { LockedRun } from "./machine-input.ts";
import { readMetDemands } from "./read-met-demands.ts";
import { findWaivers } from "../policy/waivers.ts";

type JudgedRun = Pick<LockedRun, "run" | "rules">;

/** Findings about a plan, with the status that exceptions and overrides of earlier plans give them, and those overrides. */
export interface PlanFindings {
  findings: readonly Finding[];
  held: readonly HeldOverride[];
}

/** Returns what was found about the newest plan of a run, with the exceptions and the earlier overrides that hold for it now. */
export async function readPlanFindings(reader: Reader, judged: JudgedRun, at: Date): Promise<PlanFindings> {
  const { run } = judged;
  const found: Finding[] = [];
  for (const source of JUDGE_SOURCES) found.push(...(await source.read(reader, run, "PLAN")).findings);
  return relieve(reader, judged, found, await findWaivers(reader, run, found, at.toISOString()));
}

/**
 * Takes out of the count what exceptions cover, what overrides of earlier plans hold for, and demands that people met in the PLAN
 * run of an APPLY.
 */
export async function relieve(
  reader: Reader,
  judged: JudgedRun,
  found: readonly Finding[],
  waivers: ReadonlyMap<string, string>,
): Promise<PlanFindings> {
  const open = found.filter((finding) => isOpenFailure(finding) && !waivers.has(finding.id));
  const held = await findHeldOverrides(reader, judged.run, open);
  const overridden = new Set(held.flatMap(({ failures }) => failures.map(({ id }) => id)));
  const met = await readMetDemands(reader, judged, found);
  const findings = found.map((finding): Finding => {
    if (waivers.has(finding.id)) return { ...finding, status: "WAIVED" };
    if (met.has(finding.id)) return { ...finding, status: "APPROVED" };
    return overridden.has(finding.id) ? { ...finding, status: "OVERRIDDEN" } : finding;
  });
  return { findings, held };
}
