import type { Variable } from "../../model/workspace.ts";
import type { Reader } from "../../persistence/database.ts";
import { getRunInput } from "../../persistence/run-store.ts";
import type { Deps } from "../deps.ts";

/** The path under which the variables of a run are sealed. */
export function variablesOwner(runId: string): string {
  return `run/${runId}/variables`;
}

/** The variables as they were when the run was created, in clear. */
export async function readRunVariables(reader: Reader, deps: Deps, runId: string): Promise<Variable[]> {
  const { variablesSealed } = await getRunInput(reader, runId);
  // Sealed by createRun from Variable values only; the seal vouches for it.
  return JSON.parse(deps.cipher.open(variablesSealed, variablesOwner(runId)).toString()) as Variable[];
}
