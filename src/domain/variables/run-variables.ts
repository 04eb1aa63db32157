import { z } from "zod";
import { VARIABLE_CATEGORIES, type Variable } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { getRunInput } from "../../persistence/run/run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isGitVariable } from "../source/git-credentials.ts";

const variablesSchema: z.ZodType<Variable[]> = z.array(
  z.object({
    key: z.string(),
    value: z.string(),
    sensitive: z.boolean(),
    category: z.enum(VARIABLE_CATEGORIES),
    hcl: z.boolean(),
  }),
);

/** The path under which the variables of a run are sealed. */
function variablesOwner(runId: string): string {
  return `run/${runId}/variables`;
}

/** The variables of a run for the run itself, sealed under its own path: what is copied elsewhere does not open. */
export function sealRunVariables(
  { cipher }: Pick<Deps, "cipher">,
  runId: string,
  variables: readonly Variable[],
): Buffer {
  return cipher.seal(Buffer.from(JSON.stringify(variables)), variablesOwner(runId));
}

/** The variables as they were when the run was created, in clear. */
export async function readAllRunVariables(reader: Reader, deps: Deps, runId: string): Promise<Variable[]> {
  return openVariables(deps, runId, (await getRunInput(reader, runId)).variablesSealed);
}

function openVariables({ cipher }: Pick<Deps, "cipher">, runId: string, sealed: Buffer): Variable[] {
  return variablesSchema.parse(JSON.parse(cipher.open(sealed, variablesOwner(runId)).toString()));
}

/** The variables of a run that are not for fetching its source, from what was sealed for it. */
export function openRunVariables(deps: Pick<Deps, "cipher">, runId: string, sealed: Buffer): Variable[] {
  return openVariables(deps, runId, sealed).filter((variable) => !isGitVariable(variable));
}

/** The same without those that are for fetching its source. */
export async function readRunVariables(reader: Reader, deps: Deps, runId: string): Promise<Variable[]> {
  return (await readAllRunVariables(reader, deps, runId)).filter((variable) => !isGitVariable(variable));
}
