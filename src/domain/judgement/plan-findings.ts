import type { StageFinding } from "../../model/policy/policy-stages.ts";
import type { Violation } from "../../model/policy/policy-exception.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { listPlanFindings } from "../../persistence/policy/policy-override-store.ts";
import { checkJudges } from "../check/check-judges.ts";
import { findHeldOverrides } from "../policy/held-overrides.ts";
import { findWaivers } from "../policy/waivers.ts";

/** Something that a policy or an external check found about a plan. */
export type PlanFinding = Violation & StageFinding & { fingerprint: string };

/** Returns what was found about the newest plan of a run, with the exceptions and the earlier overrides that hold for it now. */
export async function readPlanFindings(reader: Reader, run: Run, at: Date): Promise<PlanFinding[]> {
  const checks = await checkJudges.read(reader, run, "PLAN");
  const found: PlanFinding[] = [...(await listPlanFindings(reader, run)), ...checks.findings];
  const waived = await findWaivers(reader, run, found, at.toISOString());
  const open = found.filter(({ id, level, approvers }) => level === "SOFT_MANDATORY" && !approvers && !waived.has(id));
  const held = await findHeldOverrides(reader, run, open);
  const overridden = new Set(held.flatMap(({ failures }) => failures.map(({ id }) => id)));
  return found.map((finding) => {
    if (waived.has(finding.id)) return { ...finding, status: "WAIVED" };
    return overridden.has(finding.id) ? { ...finding, status: "OVERRIDDEN" } : finding;
  });
}
