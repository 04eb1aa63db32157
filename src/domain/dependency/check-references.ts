/** Checks the outputs of other workspaces that become variables of a workspace. */
import type { OutputReference } from "../../model/dependency/dependency.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Variable } from "../../model/workspace/workspace.ts";
import type { InputCheck } from "../kit/input.ts";
import { isGitVariable } from "../source/git-credentials.ts";
import { checkVariableName, isOutputName } from "../workspace/variable-name.ts";

/** The outputs that are taken from one workspace. */
export interface References {
  outputs: readonly OutputReference[];
}

/** Checks names and numbers, as far as they depend on the input alone. */
export function checkReferences(check: InputCheck, dependencies: readonly References[]): void {
  const count = dependencies.reduce((sum, { outputs }) => sum + outputs.length, 0);
  const most = LIMITS.outputReferencesPerWorkspace;
  if (count > most) return check.refuse("dependencies", `must take at most ${most} outputs in all.`);
  for (const { reference, field } of fieldsOf(dependencies)) {
    const words = `must be the name of an output: letters, digits, "_" and "-", not beginning with a digit.`;
    check.require(isOutputName(reference.output), `${field}.output`, words);
    checkVariableName(check, reference, `${field}.key`);
    const isGit = isGitVariable(reference);
    check.require(!isGit, `${field}.key`, `must not be ${reference.key}, which fetches the source.`);
  }
}

/** Checks that no variable is given twice. `taken`: the names that something else gives, and what that is. */
export function checkKeys(
  check: InputCheck,
  dependencies: readonly References[],
  taken: readonly { names: readonly VariableName[]; by: string }[],
): void {
  const givenBy = new Map(taken.flatMap(({ names, by }) => names.map((name) => [nameOf(name), by])));
  for (const { reference, field } of fieldsOf(dependencies)) {
    const by = givenBy.get(nameOf(reference));
    check.require(by === undefined, `${field}.key`, `must be another one: ${by} gives ${reference.key}.`);
    givenBy.set(nameOf(reference), "another output");
  }
}

type VariableName = Pick<Variable, "category" | "key">;

const nameOf = ({ category, key }: VariableName): string => `${category} ${key}`;

/** The references with their paths in the input. */
function fieldsOf(dependencies: readonly References[]): { reference: OutputReference; field: string }[] {
  return dependencies.flatMap(({ outputs }, index) =>
    outputs.map((reference, place) => ({ reference, field: `dependencies.${index}.outputs.${place}` })),
  );
}
