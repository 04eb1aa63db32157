import type { Probe } from "../../model/probe/probe.ts";
import type { ProbeValues } from "../../model/probe/resolve-probe.ts";
import type { Run } from "../../model/run/run.ts";
import { listProbes } from "../../persistence/probe/probe-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readProbeValues } from "../probe/probe-values.ts";

/** Reads the probes of the workspace of a run, with the values of their templates. */
export async function readWorkspaceProbes(
  deps: Pick<Deps, "database" | "cipher">,
  { workspaceId }: Run,
): Promise<{ probes: readonly Probe[]; values: ProbeValues }> {
  const [probes = []] = await listProbes(deps.database, deps.cipher, [workspaceId]);
  return { probes, values: await readProbeValues(deps.database, deps, workspaceId) };
}
