import { resolve } from "node:path";
import { expect, it } from "vitest";
import { fromOne, isInSample } from "./sample.ts";

const mutantAt = (line: number, folder = ".") => ({
  fileName: resolve(folder, "src/full.ts"),
  mutatorName: "Some",
  location: { start: { line, column: 1 }, end: { line, column: 2 } },
  replacement: "",
});
const LINES = Array.from({ length: 4000 }, (_, index) => index + 1);
const chosen = (sample: string) => LINES.filter((line) => isInSample(mutantAt(line), sample));

it("without a sample all mutants are in", () => {
  expect(isInSample(mutantAt(1))).toBe(true);
  expect(isInSample(mutantAt(1), "")).toBe(true);
});

it("a sample has its share of the mutants, the same each time, and others by another seed", () => {
  const sample = chosen("25:1");
  expect(sample.length).toBeGreaterThan(900);
  expect(sample.length).toBeLessThan(1100);
  expect(chosen("25:1")).toEqual(sample);
  expect(chosen("25:2")).not.toEqual(sample);
  expect(chosen("0:1")).toEqual([]);
  expect(chosen("100:1")).toEqual(LINES);
});

it("a mutant that is run has the place of the report: from line 1 and column 1", () => {
  const location = { start: { line: 0, column: 0 }, end: { line: 0, column: 1 } };
  expect(fromOne({ ...mutantAt(1), location })).toEqual(mutantAt(1));
});

it.each([
  ["of a file in the sandbox of StrykerJS", ".mutation/sandbox/sandbox-x1"],
  ["seen from the sandbox, where StrykerJS runs it", "../../.."],
])("a mutant is in the sample %s as well", (_, folder) => {
  expect(LINES.filter((line) => isInSample(mutantAt(line, folder), "25:1"))).toEqual(chosen("25:1"));
});
