import { type Difference, differences } from "./diff.ts";

/** A planned change of an output, as the API gives it. */
export interface ChangedOutput {
  readonly action: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly sensitive: boolean;
  readonly unknown: boolean;
}

/** Gives the places at which the value of an output differs, below `value`. None for a sensitive one, whose value is not given. */
export function outputDifferences({
  action,
  before = null,
  after = null,
  sensitive,
  unknown,
}: ChangedOutput): Difference[] {
  if (sensitive) return [];
  return differences({
    before: action === "CREATE" ? {} : { value: before },
    after: action === "DELETE" ? {} : { value: after },
    unknownPaths: unknown ? ["value"] : [],
    sensitivePaths: [],
  });
}
