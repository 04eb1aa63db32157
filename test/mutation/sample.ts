import { createHash } from "node:crypto";
import { relative } from "node:path";
import type { Mutant } from "./mutant.ts";

export type Described = Pick<Mutant, "fileName" | "mutatorName" | "location" | "replacement">;

/** StrykerJS counts lines and columns from 0 where it runs a mutant, and from 1 where it reports one. */
export function fromOne(mutant: Described): Described {
  const next = ({ line, column }: Described["location"]["start"]) => ({ line: line + 1, column: column + 1 });
  const { start, end } = mutant.location;
  return { ...mutant, location: { start: next(start), end: next(end) } };
}

/** A share of all mutants by chance, "25:1": a quarter, by seed 1. A mutant stays in or out while its line stays. */
export function isInSample({ fileName, mutatorName, location, replacement }: Described, sample?: string): boolean {
  if (sample === undefined || sample === "") return true;
  const [percent, seed] = sample.split(":");
  const { start, end } = location;
  const place = [start.line, start.column, end.line, end.column].join(":");
  const name = [
    seed,
    relative(process.cwd(), fileName).replace(/^(?:\.\.\/)+|^\.mutation\/sandbox\/[^/]+\//, ""),
    place,
    mutatorName,
    replacement,
  ];
  return createHash("sha256").update(JSON.stringify(name)).digest().readUInt32BE() < (Number(percent) / 100) * 2 ** 32;
}
