import type { Variable } from "../../model/workspace/workspace.ts";
/** A variable as it may be shown: the value of a sensitive one is null. */
export type ShownVariable = Omit<Variable, "value"> & { value: string | null };
