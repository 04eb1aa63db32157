/** The secrets of a workspace: current and former sensitive values. */
import { LIMITS } from "../../model/kit/limits.ts";
import { secretTexts } from "../../model/workspace/secret-texts.ts";
import type { Variable } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { insertFormerSecret, listFormerSecrets } from "../../persistence/workspace/former-secret-store.ts";
import { findVariable, listVariables } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isGitVariable } from "../source/git-credentials.ts";

type VariableName = Pick<Variable, "category" | "key">;

/**
 * Returns the texts to mask in the runs and states of the workspace. Excludes the variables that only fetch
 * its source.
 */
export async function workspaceSecrets(
  reader: Reader,
  { cipher }: Pick<Deps, "cipher">,
  workspaceId: string,
): Promise<string[]> {
  const [variables = []] = await listVariables(reader, cipher, [workspaceId]);
  const former = await listFormerSecrets(reader, cipher, workspaceId);
  return secretTexts([
    ...variables.filter((variable) => !isGitVariable(variable)),
    ...former.map((secret) => ({ ...secret, sensitive: true })),
  ]);
}

/**
 * Stores the former value of a sensitive variable before it is replaced by `next` or deleted. Until the next apply the
 * state still contains it, and plans would show it.
 */
export async function retireSecret(
  tx: Transaction,
  { cipher }: Pick<Deps, "cipher">,
  workspaceId: string,
  name: VariableName,
  next: string | null,
): Promise<void> {
  const current = await findVariable(tx, cipher, workspaceId, name);
  if (current === null || !current.sensitive || current.value === next || isGitVariable(current)) return;
  await insertFormerSecret(tx, cipher, workspaceId, current, LIMITS.formerSecretsPerWorkspace);
}

/** Stores the sensitive values that a run restores: once it is applied, the state contains them again. */
export async function keepSecrets(
  tx: Transaction,
  deps: Pick<Deps, "cipher">,
  workspaceId: string,
  variables: readonly Variable[],
): Promise<void> {
  const [current = []] = await listVariables(tx, deps.cipher, [workspaceId]);
  const former = await listFormerSecrets(tx, deps.cipher, workspaceId);
  const known = [...current.filter(({ sensitive }) => sensitive), ...former];
  for (const variable of variables) {
    if (!variable.sensitive || isGitVariable(variable)) continue;
    if (known.some(({ value, hcl }) => value === variable.value && hcl === variable.hcl)) continue;
    known.push(variable);
    await insertFormerSecret(tx, deps.cipher, workspaceId, variable, LIMITS.formerSecretsPerWorkspace);
  }
}
