import { LIMITS } from "../../model/kit/limits.ts";
import type { Variable } from "../../model/workspace/workspace.ts";
import type { InputCheck } from "../kit/input.ts";

const ENGINE_KEY = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const ENVIRONMENT_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that the runner sets itself, to connect the engine's state and plan to Holdpoint. */
const RESERVED = /^(TF_HTTP_.*|TF_DATA_DIR|TF_WORKSPACE|TF_CLI_CONFIG_FILE|TF_IN_AUTOMATION|TF_INPUT|HOME|TMPDIR)$/;

/** Checks the name of a variable. `field`: the path of its key in the input. */
export function checkVariableName(
  check: InputCheck,
  { key, category }: Pick<Variable, "key" | "category">,
  field = "key",
): void {
  const short = key.length <= LIMITS.keyLength;
  if (category === "ENGINE") {
    const words = `must be the name of an input variable: letters, digits, "_" and "-", not beginning with a digit.`;
    return check.require(short && ENGINE_KEY.test(key), field, words);
  }
  const words = `must be the name of an environment variable: letters, digits and "_", not beginning with a digit.`;
  check.require(short && ENVIRONMENT_KEY.test(key), field, words);
  check.require(!RESERVED.test(key), field, `must not be ${key}, which the runner sets itself.`);
}

/** Whether a text is the name of an output of a configuration. */
export const isOutputName = (name: string): boolean => name.length <= LIMITS.keyLength && ENGINE_KEY.test(name);
