import type { Probe } from "../../model/probe/probe.ts";
import type { ProbeValues } from "../../model/probe/resolve-probe.ts";
import type { Run } from "../../model/run/run.ts";
import type { CheckReport } from "../../model/plan/check-block.ts";
import { withChecksProbe } from "../../model/verification/probe-plan.ts";
import { findAppliedCheckReports, findCheckReports } from "../../persistence/plan/check-report-store.ts";
import { listProbes } from "../../persistence/probe/probe-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readProbeValues } from "../probe/probe-values.ts";

/** Probes with the values of their templates, and the check blocks of the state. */
export interface WorkspaceProbes {
  probes: readonly Probe[];
  values: ProbeValues;
  checks: CheckReport | null;
}

/**
 * Reads the probes of the workspace of a run, before its apply or after it. After it, check blocks are shown also if no
 * probe asks for them.
 */
export async function readWorkspaceProbes(
  deps: Pick<Deps, "database" | "cipher">,
  { id, workspaceId, appliedAt }: Run,
): Promise<WorkspaceProbes> {
  const { database, cipher } = deps;
  const [probes = []] = await listProbes(database, cipher, [workspaceId]);
  const values = await readProbeValues(database, deps, workspaceId);
  if (appliedAt === null) {
    const [checks = null] = await findAppliedCheckReports(database, [workspaceId]);
    return { probes, values, checks };
  }
  const [found = null] = await findCheckReports(database, [id]);
  const checks = found?.afterApply === true ? found : null;
  return { probes: withChecksProbe(probes, checks), values, checks };
}
