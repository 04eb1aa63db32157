/** Rows of plans, of which there may be many, and which may be large. */
import { LIMITS } from "../../model/kit/limits.ts";

/** Rows go in by this many: a statement has at most 65,535 parameters. */
const ROWS_PER_INSERT = 1000;

export function inParts<Row>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    parts.push(rows.slice(start, start + ROWS_PER_INSERT));
  return parts;
}

/** Returns how many of these go into one page: as many as are not too large together, but at least one. */
export function fitting(places: readonly { bytes: number }[]): number {
  let total = 0;
  const full = places.findIndex(({ bytes }, index) => (total += bytes) > LIMITS.changePageBytes && index > 0);
  return full === -1 ? places.length : full;
}
