/** The sensitive outputs of a state, which are stored sealed beside those that are shown. */
import type { Json } from "../../model/plan/json.ts";
import type { Output } from "../../model/workspace/workspace.ts";
import type { Deps } from "../kit/deps.ts";

const ownerOf = (stateVersionId: string): string => `state/${stateVersionId}/outputs`;

/** Seals the values that are not shown; `null` if all are. `shown`: the outputs as readers see them. */
export function sealSecretOutputs(
  { cipher }: Pick<Deps, "cipher">,
  stateVersionId: string,
  outputs: Readonly<Record<string, { value: Json }>>,
  shown: readonly Output[],
): Buffer | null {
  const secrets = shown.filter(({ sensitive }) => sensitive).map(({ name }) => [name, outputs[name]?.value ?? null]);
  if (secrets.length === 0) return null;
  return cipher.seal(Buffer.from(JSON.stringify(Object.fromEntries(secrets))), ownerOf(stateVersionId));
}

/** Opens the values that are not shown, by the names of their outputs. */
export function openSecretOutputs(
  { cipher }: Pick<Deps, "cipher">,
  stateVersionId: string,
  sealed: Buffer | null,
): Map<string, Json> {
  if (sealed === null) return new Map();
  const values: Record<string, Json> = JSON.parse(cipher.open(sealed, ownerOf(stateVersionId)).toString());
  return new Map(Object.entries(values));
}
