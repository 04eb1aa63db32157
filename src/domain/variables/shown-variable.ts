import type { Variable } from "../../model/workspace/workspace.ts";
/** A variable without secrets: the value of a sensitive one is `null`. */
export type ShownVariable = Omit<Variable, "value"> & { value: string | null };
