import { LIMITS } from "../../model/limits.ts";
import { can, type TokenCaller } from "../../model/permission.ts";
import { notFound } from "../../model/user-error.ts";
import type { Workspace } from "../../model/workspace.ts";
import { countVariables, putVariable } from "../../persistence/variable-store.ts";

import type { Deps } from "../deps.ts";
import type { SetVariableInput } from "../domain.ts";
import { authorize, recorded } from "../guard.ts";
import { InputCheck } from "../input.ts";
import { lookUpWorkspace } from "./look-up-workspace.ts";

const ENGINE_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const ENVIRONMENT_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The runner's own: what makes the engine's state and plan Holdpoint's. */
const RESERVED = /^(TF_HTTP_.*|TF_DATA_DIR|TF_WORKSPACE|TF_CLI_CONFIG_FILE|TF_IN_AUTOMATION|TF_INPUT|HOME|TMPDIR)$/;

/** Sets a variable of a workspace. Runs that exist already keep the variables that they were created with. */
export function setVariable(deps: Deps, caller: TokenCaller, input: SetVariableInput): Promise<Workspace> {
  return recorded(deps, caller, "setVariable", input.workspaceId, async () => {
    const workspace = await lookUpWorkspace(deps.database, input.workspaceId);
    if (workspace === null || !can(caller, "workspace:read")) throw notFound("workspace");
    authorize(caller, "variable:write", "setting variables");
    checkInput(input);
    const { key, value, sensitive, category, hcl } = input;
    await deps.database.transaction(async (tx) => {
      await putVariable(tx, deps.cipher, workspace.id, { key, value, sensitive, category, hcl });
      const check = new InputCheck();
      const count = await countVariables(tx, workspace.id);
      check.require(
        count <= LIMITS.variablesPerWorkspace,
        "key",
        `would be one more than the ${LIMITS.variablesPerWorkspace} variables that a workspace may have.`,
      );
      check.done();
    });
    return workspace;
  });
}

function checkInput({ key, value, category, hcl }: SetVariableInput): void {
  const check = new InputCheck();
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
    check.require(!hcl, "hcl", "belongs to variables of the category ENGINE only.");
  }
  const bytes = Buffer.byteLength(value);
  check.require(bytes <= LIMITS.variableBytes, "value", `must have at most ${LIMITS.variableBytes} bytes.`);
  check.require(!value.includes("\0"), "value", "must not contain the character U+0000.");
  check.done();
}
