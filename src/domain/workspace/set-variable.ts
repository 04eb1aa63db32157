import type { VariableCategory } from "../../model/workspace/workspace.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { countVariables, putVariable } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { GIT_SECRETS } from "../source/git-credentials.ts";
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

const ENGINE_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const ENVIRONMENT_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that the runner sets itself, to connect the engine's state and plan to Holdpoint. */
const RESERVED = /^(TF_HTTP_.*|TF_DATA_DIR|TF_WORKSPACE|TF_CLI_CONFIG_FILE|TF_IN_AUTOMATION|TF_INPUT|HOME|TMPDIR)$/;

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
  const short = key.length <= LIMITS.keyLength;
  if (category === "ENGINE") {
    check.require(
      short && ENGINE_KEY.test(key),
      "key",
      `must be the name of an input variable: letters, digits, "_" and "-", not beginning with a digit.`,
    );
  } else {
    check.require(
      short && ENVIRONMENT_KEY.test(key),
      "key",
      `must be the name of an environment variable: letters, digits and "_", not beginning with a digit.`,
    );
    check.require(!RESERVED.test(key), "key", `must not be ${key}, which the runner sets itself.`);
    check.require(!hcl, "hcl", "is allowed with the category ENGINE only.");
    check.require(sensitive || !GIT_SECRETS.has(key), "sensitive", `must be true for ${key}.`);
  }
  const bytes = Buffer.byteLength(value);
  check.require(bytes <= LIMITS.variableBytes, "value", `must have at most ${LIMITS.variableBytes} bytes.`);
  check.require(!value.includes("\0"), "value", "must not contain the character U+0000.");
}
