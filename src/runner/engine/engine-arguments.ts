import type { JobVariable } from "../../ingestion/wire.ts";

/** Variables whose arguments the engine adds to its commands. */
const NAME = /^TF_CLI_ARGS(?:_.*)?$/;

/**
 * Describes a likely cause of an engine that exits with 0 and has done nothing: a variable of the workspace added
 * arguments, such as `-help`. `undefined` without such a variable.
 */
export function describeAddedArguments(variables: readonly JobVariable[]): string | undefined {
  const names = variables
    .filter(({ category, key }) => category === "ENVIRONMENT" && NAME.test(key))
    .map(({ key }) => key);
  if (names.length === 0) return undefined;
  return `Variables of the workspace add arguments to the engine's commands: ${names.join(", ")}. Check them.`;
}
