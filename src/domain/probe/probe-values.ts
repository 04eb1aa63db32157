/** Reads the values that templates of probes name. */
import type { ProbeOutput, ProbeValues } from "../../model/probe/resolve-probe.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findNewestOutputs } from "../../persistence/probe/probe-store.ts";
import { listVariables } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isGitVariable } from "../source/git-credentials.ts";
import { openSecretOutputs } from "../variables/secret-outputs.ts";

/**
 * Returns the outputs of the newest state and the variables of a workspace, with sensitive values. The password of its
 * source is no value: it is for the host of the source alone.
 */
export async function readProbeValues(
  reader: Reader,
  deps: Pick<Deps, "cipher">,
  workspaceId: string,
): Promise<ProbeValues> {
  const [state = null] = await findNewestOutputs(reader, [workspaceId]);
  const [variables = []] = await listVariables(reader, deps.cipher, [workspaceId]);
  const outputs = new Map<string, ProbeOutput>();
  if (state !== null) {
    const secrets = openSecretOutputs(deps, state.stateVersionId, state.secretsSealed);
    for (const { name, value, sensitive } of state.outputs) {
      if (!sensitive) outputs.set(name, { value, sensitive });
      else if (secrets.has(name)) outputs.set(name, { value: secrets.get(name) ?? null, sensitive });
    }
  }
  const usable = variables.filter((variable) => !isGitVariable(variable));
  // The environment comes last: it wins over an input variable of the same name.
  return { outputs, variables: new Map(usable.map(({ key, value }) => [key, value])) };
}
