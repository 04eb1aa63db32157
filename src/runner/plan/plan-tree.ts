import { isRecord } from "../../model/kit/is-record.ts";

/** An object of the engine's description of a plan. Its fields are read one by one: a plan is large. */
export type PlanTree = Record<string, unknown>;

/** Lists the objects of a value that should be a list. */
export function itemsOf(value: unknown): PlanTree[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}
