/** Gives a run the outputs of the workspaces that its workspace depends on. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { Json } from "../../model/plan/json.ts";
import type { OutputReference } from "../../model/dependency/dependency.ts";
import { outputVariable } from "../../model/dependency/output-variable.ts";
import type { RunUpstream } from "../../model/dependency/run-upstream.ts";
import { isStateRollback, type Run } from "../../model/run/run.ts";
import type { Variable } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  findSettledRun,
  insertRunUpstreams,
  listReferencedOutputs,
  listRunUpstreams,
  type ReferencedOutputs,
} from "../../persistence/dependency/run-upstream-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readAllRunVariables, sealRunVariables } from "./run-variables.ts";
import { openSecretOutputs } from "./secret-outputs.ts";
import { keepSecrets } from "./workspace-secrets.ts";

/** An output that is referenced and cannot be a variable. */
export interface UnusableOutput {
  reference: OutputReference;
  upstreamId: string;
  problem: string;
}

/** An output as a variable, and where it is from. */
export interface UpstreamInput {
  upstreamId: string;
  from: Omit<RunUpstream, "stateRunId">;
  variable: Variable;
}

/** Whether a run of this kind takes the outputs of today. An APPLY has the variables that its plan was made from. */
export function takesOutputs(run: Pick<Run, "kind" | "trigger">): boolean {
  return run.kind !== "APPLY" && run.kind !== "UNLOCK" && !isStateRollback(run);
}

/** Resolves the outputs that a workspace references, from the newest applied states of its upstreams. */
export async function resolveOutputs(
  tx: Transaction,
  deps: Pick<Deps, "cipher">,
  { workspaceId, kind }: Pick<Run, "workspaceId" | "kind">,
): Promise<{ inputs: UpstreamInput[]; unusable: UnusableOutput[] }> {
  const inputs: UpstreamInput[] = [];
  const unusable: UnusableOutput[] = [];
  for (const { upstreamId, references, state } of await listReferencedOutputs(tx, workspaceId)) {
    const values = state === null ? new Map<string, Value>() : valuesOf(deps, state);
    for (const reference of references) {
      const value = values.get(reference.output);
      const found = value === undefined ? null : outputVariable(reference, value.value, value.sensitive);
      const problem = problemOf(found);
      if (state === null || value === undefined || found === null || problem !== null) {
        unusable.push({ reference, upstreamId, problem: problem ?? "is missing" });
        continue;
      }
      const valueHash = hashOf(deps, workspaceId, value.value);
      const from = { ...reference, stateVersionId: state.id, valueHash, assumed: kind === "PLAN" };
      inputs.push({ upstreamId, from, variable: found });
    }
  }
  return { inputs, unusable };
}

/**
 * Resolves the outputs for a run, and returns its variables with them, sealed; `null` if an output cannot be used. A run that
 * destroys has the values of the last run instead: the workspace upstream may be gone.
 */
export async function giveOutputs(
  tx: Transaction,
  deps: Deps,
  run: Run,
): Promise<{ variablesSealed: Buffer | null; unusable: UnusableOutput[] }> {
  const { inputs, unusable } = await resolveOutputs(tx, deps, run);
  const missing =
    run.kind === "DESTROY" && unusable.length > 0 ? await takeFormer(tx, deps, run, inputs, unusable) : unusable;
  if (missing.length > 0) return { variablesSealed: null, unusable: missing };
  const given = inputs.map(({ variable }) => variable);
  await insertRunUpstreams(
    tx,
    run.id,
    inputs.map(({ from }) => from),
  );
  // Once the run is applied, its state contains them, and later runs show what they were.
  await keepSecrets(tx, deps, run.workspaceId, given);
  const names = new Set(given.map(nameOf));
  const own = (await readAllRunVariables(tx, deps, run.id)).filter((variable) => !names.has(nameOf(variable)));
  return { variablesSealed: sealRunVariables(deps, run.id, inOrder([...own, ...given])), unusable: [] };
}

/** Adds the values of the last run that was applied to `inputs`, and returns what is missing even so. */
async function takeFormer(
  tx: Transaction,
  deps: Deps,
  { workspaceId }: Run,
  inputs: UpstreamInput[],
  unusable: readonly UnusableOutput[],
): Promise<UnusableOutput[]> {
  const last = await findSettledRun(tx, workspaceId);
  if (last === null || last.isDestroyed) return [...unusable];
  const lastId = last.id;
  const [former = []] = await listRunUpstreams(tx, [lastId]);
  const variables = await readAllRunVariables(tx, deps, lastId);
  return unusable.filter(({ reference, upstreamId }) => {
    const isSame = (one: VariableName): boolean => isSameVariable(one, reference);
    const from = former.find((one) => isSame(one) && one.output === reference.output);
    const variable = variables.find(isSame);
    if (from === undefined || variable === undefined) return true;
    inputs.push({ upstreamId, from: { ...from, assumed: true }, variable });
    return false;
  });
}

/** Sorts variables by category and key. */
function inOrder(variables: readonly Variable[]): Variable[] {
  return variables.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

type VariableName = Pick<OutputReference, "category" | "key">;

interface Value {
  value: Json;
  sensitive: boolean;
}

function valuesOf(
  deps: Pick<Deps, "cipher">,
  { id, outputs, secretsSealed }: NonNullable<ReferencedOutputs["state"]>,
): Map<string, Value> {
  const secrets = openSecretOutputs(deps, id, secretsSealed);
  const values = new Map<string, Value>();
  for (const { name, value, sensitive } of outputs) {
    if (!sensitive) values.set(name, { value, sensitive });
    else if (secrets.has(name)) values.set(name, { value: secrets.get(name) ?? null, sensitive });
  }
  return values;
}

function problemOf(variable: Variable | null): string | null {
  if (variable === null) return null;
  if (Buffer.byteLength(variable.value) > LIMITS.variableBytes) return `has more than ${LIMITS.variableBytes} bytes`;
  return variable.value.includes("\0") ? "contains the character U+0000" : null;
}

/** A hash that depends on the workspace, so that equal values of two workspaces do not show. */
function hashOf({ cipher }: Pick<Deps, "cipher">, workspaceId: string, value: Json): Buffer {
  return cipher.mac("output", `${workspaceId} ${JSON.stringify(value)}`);
}

/** Whether two names are of one variable. */
export const isSameVariable = (one: VariableName, other: VariableName): boolean => nameOf(one) === nameOf(other);

const nameOf = ({ category, key }: VariableName): string => `${category} ${key}`;
