import { expect, it } from "vitest";
import { compareChanges, type ComparedChange } from "../../../src/console/plan/compare-changes.ts";

const change = (more: Partial<ComparedChange>): ComparedChange => ({
  address: "aws_instance.web",
  action: "UPDATE",
  before: { size: "s" },
  after: { size: "m" },
  unknownPaths: [],
  sensitivePaths: [],
  ...more,
});
const compared = (
  was: Partial<ComparedChange>,
  is: Partial<ComparedChange>,
): { results: string[]; origins: string[] } => {
  const { results, origins } = compareChanges(change(was), change(is));
  const texts = (list: typeof results): string[] => list.map(({ path, kind }) => `${path} ${kind}`);
  return { results: texts(results), origins: texts(origins) };
};

it("lists what both plans make of an object in another way, and what they found in another way", () => {
  expect(compared({ after: { size: "m" } }, { after: { size: "l" } })).toEqual({
    results: ["size CHANGED"],
    origins: [],
  });
  expect(compared({ before: { size: "s" } }, { before: { size: "xs" } })).toEqual({
    results: [],
    origins: ["size CHANGED"],
  });
});

it("counts what both plans do not know yet, or hide, as equal", () => {
  const unknown = { after: { size: "m", id: null }, unknownPaths: ["id"] };
  expect(compared(unknown, unknown).results).toEqual([]);
  expect(compared({ after: { size: "m", id: "i-1" } }, unknown).results).toEqual(["id UNKNOWN"]);
  const hidden = { after: { size: "m", password: null }, sensitivePaths: ["password"] };
  expect(compared(hidden, hidden).results).toEqual([]);
  expect(compared({ after: { size: "m", password: "x" } }, hidden).results).toEqual(["password SENSITIVE"]);
});

it("compares no attributes with an object that one of the plans makes or removes", () => {
  expect(compared({ action: "DELETE", after: null }, {}).results).toEqual([]);
  expect(compared({ action: "CREATE", before: null }, {}).origins).toEqual([]);
});
