import type { VariableCategory } from "../../model/workspace/workspace.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listUpstreams } from "../../persistence/dependency/dependency-store.ts";
import { countVariables, putVariable } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { GIT_SECRETS } from "../source/git-credentials.ts";
import { checkVariableName } from "./variable-name.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { retireSecret } from "../variables/workspace-secrets.ts";

export interface SetVariableInput {
  workspaceId: string;
  key: string;
  value: string;
  sensitive: boolean;
  category: VariableCategory;
  hcl: boolean;
}

/** Sets a variable of a workspace. Existing runs keep the variables that they were created with. */
export function setVariable(deps: Deps, caller: ActorCaller, input: SetVariableInput): Promise<Workspace> {
  const { workspaceId, ...variable } = input;
  const spec = {
    name: "setVariable",
    permission: "VARIABLE_WRITE",
    words: "setting variables",
    workspaceId,
    check: (check) => checkInput(check, input),
  } satisfies Parameters<typeof commandWorkspace>[2];
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    if (workspace.takesOutputs) await refuseTaken(tx, workspaceId, input);
    await retireSecret(tx, deps, workspaceId, variable, variable.value);
    await putVariable(tx, deps.cipher, workspaceId, variable);
    const count = await countVariables(tx, workspaceId);
    if (count > LIMITS.variablesPerWorkspace) {
      const limit = `the ${LIMITS.variablesPerWorkspace} variables that a workspace may have.`;
      throw invalidField("key", `would be one more than ${limit}`);
    }
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["variables"]);
    return workspace;
  });
}

function checkInput(check: InputCheck, { key, value, sensitive, category, hcl }: SetVariableInput): void {
  checkVariableName(check, { key, category });
  if (category === "ENVIRONMENT") {
    check.require(!hcl, "hcl", "is allowed with the category ENGINE only.");
    check.require(sensitive || !GIT_SECRETS.has(key), "sensitive", `must be true for ${key}.`);
  }
  const bytes = Buffer.byteLength(value);
  check.require(bytes <= LIMITS.variableBytes, "value", `must have at most ${LIMITS.variableBytes} bytes.`);
  check.require(!value.includes("\0"), "value", "must not contain the character U+0000.");
}

/** Refuses the name of a variable that is an output of another workspace. */
async function refuseTaken(tx: Transaction, workspaceId: string, { key, category }: SetVariableInput): Promise<void> {
  const references = (await listUpstreams(tx, workspaceId)).flatMap(({ outputs }) => outputs);
  const taken = references.some((one) => one.key === key && one.category === category);
  if (taken) throw invalidField("key", `must be another one: a dependency gives ${key}. Change the dependency first.`);
}
