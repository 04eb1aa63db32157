import { z } from "zod";
import type { Run } from "../../model/run/run.ts";
import { rollbackVariables } from "../../model/workspace/rollback-variables.ts";
import { VARIABLE_CATEGORIES, type Variable } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findSealedVariables, getRunInput } from "../../persistence/run/run-store.ts";
import { listSensitiveNames, listVariables } from "../../persistence/workspace/variable-store.ts";
import type { ShownVariable } from "./shown-variable.ts";
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

/** Seals the variables of a run under its own path, so that a copy in another run does not open. */
export function sealRunVariables(
  { cipher }: Pick<Deps, "cipher">,
  runId: string,
  variables: readonly Variable[],
): Buffer {
  return cipher.seal(Buffer.from(JSON.stringify(variables)), variablesOwner(runId));
}

/** Returns the variables of a run in clear text, as of its creation. */
export async function readAllRunVariables(reader: Reader, deps: Deps, runId: string): Promise<Variable[]> {
  return openVariables(deps, runId, (await getRunInput(reader, runId)).variablesSealed);
}

/** Returns the variables of a rollback to a run, or of its retry. */
export async function readRollbackVariables(
  reader: Reader,
  deps: Deps,
  { id, workspaceId }: Pick<Run, "id" | "workspaceId">,
): Promise<Variable[]> {
  const [now = []] = await listVariables(reader, deps.cipher, [workspaceId]);
  return rollbackVariables(await readAllRunVariables(reader, deps, id), now);
}

function openVariables({ cipher }: Pick<Deps, "cipher">, runId: string, sealed: Buffer): Variable[] {
  return variablesSchema.parse(JSON.parse(cipher.open(sealed, variablesOwner(runId)).toString()));
}

/** Opens the sealed variables of a run, without those that only fetch its source. */
export function openRunVariables(deps: Pick<Deps, "cipher">, runId: string, sealed: Buffer): Variable[] {
  return openVariables(deps, runId, sealed).filter((variable) => !isGitVariable(variable));
}

/**
 * Returns the variables of each run as of its creation. A value that was sensitive then, or is so now under that name,
 * is `null`.
 */
export async function readShownVariables(
  reader: Reader,
  deps: Pick<Deps, "cipher">,
  runIds: readonly string[],
): Promise<ShownVariable[][]> {
  const found = await findSealedVariables(reader, runIds);
  const workspaceIds = [...new Set(found.flatMap((row) => row?.workspaceId ?? []))];
  const names = workspaceIds.length === 0 ? [] : await listSensitiveNames(reader, workspaceIds);
  const nameOf = ({ category, key }: Pick<Variable, "category" | "key">): string => `${category} ${key}`;
  const hidden = new Map(workspaceIds.map((id, index) => [id, new Set(names[index]?.map(nameOf))]));
  return found.map((row) => {
    if (row === null) return [];
    return openVariables(deps, row.runId, row.sealed).map((variable) => {
      const sensitive = variable.sensitive || hidden.get(row.workspaceId)?.has(nameOf(variable)) === true;
      return { ...variable, sensitive, value: sensitive ? null : variable.value };
    });
  });
}

/** Returns the variables of a run, without those that only fetch its source. */
export async function readRunVariables(reader: Reader, deps: Deps, runId: string): Promise<Variable[]> {
  return (await readAllRunVariables(reader, deps, runId)).filter((variable) => !isGitVariable(variable));
}
