import { expect, it } from "vitest";
import type { TestOutcome } from "./messages.ts";
import { filesWith, mapTests, testsReaching } from "./test-map.ts";

const outcome = (path: string, id: string): TestOutcome => ({ path, id, name: id, milliseconds: 1, error: null });
const OUTCOMES = [outcome("/a.test.ts", "a1"), outcome("/a.test.ts", "a2"), outcome("/b.test.ts", "b1")];

/** Mutant 1 is in a1; 2 beside the tests of a; 3 in b1 and beside the tests of a; 4 and 1 in imports. */
const MAP = mapTests(OUTCOMES, {
  static: { 1: 1, 4: 2 },
  perTest: { a1: { 1: 5 }, b1: { 3: 1 }, "/a.test.ts": { 2: 7, 3: 1 } },
});

it("a mutant beside tests is reached by all tests of the file, unless a test reaches it by itself", () => {
  expect(MAP.coverage.perTest).toEqual({ a1: { 1: 5, 2: 7 }, a2: { 2: 7 }, b1: { 3: 1 } });
});

it("only what no test reaches belongs to imports", () => {
  expect(MAP.coverage.static).toEqual({ 4: 2 });
});

it("tests are asked for by file, in their order", () => {
  expect(filesWith(MAP, ["b1", "a2"])).toEqual([
    { path: "/a.test.ts", ids: ["a2"] },
    { path: "/b.test.ts", ids: ["b1"] },
  ]);
});

it("a file is run as a whole where a test needs those before it", () => {
  const tests = MAP.tests.map((test) => ({ ...test, passesAlone: test.id === "a2" ? false : null }));
  expect(filesWith({ ...MAP, tests }, ["a2"])).toEqual([{ path: "/a.test.ts", ids: null }]);
  expect(filesWith({ ...MAP, tests }, ["a1"])).toEqual([{ path: "/a.test.ts", ids: ["a1"] }]);
});

it("mutants of imports are tried by the files of tests that reach others of their file, or by all", () => {
  expect(testsReaching(MAP, ["4", "3"])).toEqual(["b1"]);
  expect(testsReaching(MAP, ["4", "1"])).toEqual(["a1", "a2"]);
  expect(testsReaching(MAP, ["4"])).toEqual(["a1", "a2", "b1"]);
});
