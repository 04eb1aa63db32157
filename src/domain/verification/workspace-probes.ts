import type { Probe } from "../../model/probe/probe.ts";
import type { ProbeValues } from "../../model/probe/resolve-probe.ts";
import type { Run } from "../../model/run/run.ts";
import type { Deps } from "../kit/deps.ts";

/** Reads the probes of the workspace of a run, with the values of their templates. */
export function readWorkspaceProbes(
  _deps: Deps,
  _run: Run,
): Promise<{ probes: readonly Probe[]; values: ProbeValues }> {
  return Promise.resolve({ probes: [], values: { outputs: new Map(), variables: new Map() } });
}
