import type { JobVariable } from "../../ingestion/wire.ts";

/** Arguments that the engine itself adds to its commands. */
const NAME = /^TF_CLI_ARGS(?:_.*)?$/;

/**
 * Why an engine may have ended well without doing what it was started for: one that is asked for help, say, by a variable
 * of the workspace. undefined where there is no such variable.
 */
export function describeAddedArguments(variables: readonly JobVariable[]): string | undefined {
  const names = variables
    .filter(({ category, key }) => category === "ENVIRONMENT" && NAME.test(key))
    .map(({ key }) => key);
  if (names.length === 0) return undefined;
  return `The engine's commands get arguments from the workspace's variables: ${names.join(", ")}.`;
}
