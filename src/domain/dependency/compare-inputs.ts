/** Compares what a run would read with what the last applied run of its workspace read. */
import type { RunUpstream } from "../../model/dependency/run-upstream.ts";
import type { Run } from "../../model/run/run.ts";
import {
  findSettledRun,
  hasSameSource,
  listRunUpstreams,
  type SettledRun,
} from "../../persistence/dependency/run-upstream-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { isSameVariable, resolveOutputs } from "../variables/upstream-outputs.ts";

/** An output of a workspace upstream. */
export interface NamedOutput {
  upstreamId: string;
  output: string;
}

/** How what a workspace takes from its upstreams differs from what its last applied run got. */
export interface OutputComparison {
  /** The last run that brought the whole configuration about; `null` if there is none. */
  settled: SettledRun | null;
  /** The outputs that it can take now. */
  inputs: Omit<RunUpstream, "stateRunId">[];
  /** The names of all outputs that it takes. */
  outputs: string[];
  /** Those that are new, missing, or have another value. */
  changed: NamedOutput[];
}

export interface InputComparison extends OutputComparison {
  /** Whether neither an output nor its own configuration has changed since. */
  isSame: boolean;
}

/** Compares the outputs that a workspace takes now with those of its last applied run, by keyed hashes. */
export async function compareOutputs(
  tx: Transaction,
  deps: Pick<Deps, "cipher">,
  workspaceId: string,
): Promise<OutputComparison> {
  const settled = await findSettledRun(tx, workspaceId);
  const { inputs, unusable } = await resolveOutputs(tx, deps, { workspaceId, kind: "DEPLOY" });
  const [former = []] = settled === null ? [] : await listRunUpstreams(tx, [settled.id]);
  const changed = inputs.filter(({ from }) => !hasValue(former, from));
  const lost = unusable.map(({ upstreamId, reference }) => ({ upstreamId, output: reference.output }));
  return {
    settled,
    inputs: inputs.map(({ from }) => from),
    outputs: [...inputs.map(({ from }) => from.output), ...lost.map(({ output }) => output)],
    changed: [...changed.map(({ upstreamId, from }) => ({ upstreamId, output: from.output })), ...lost],
  };
}

/** Whether a run got a value that is given now. */
export function hasValue(former: readonly RunUpstream[], now: Omit<RunUpstream, "stateRunId">): boolean {
  return former.some(
    (one) => isSameVariable(one, now) && one.output === now.output && one.valueHash.equals(now.valueHash),
  );
}

/** Compares outputs and source of a run with those of the last applied run of its workspace. */
export async function compareInputs(tx: Transaction, deps: Deps, run: Run): Promise<InputComparison> {
  const compared = await compareOutputs(tx, deps, run.workspaceId);
  const { settled, changed } = compared;
  if (settled === null || changed.length > 0) return { ...compared, isSame: false };
  return { ...compared, isSame: await hasSameSource(tx, [run.id, settled.id]) };
}
