import { expect, it } from "vitest";
import { raiseEntry, replaceEntry } from "../../../src/console/parts/replace-entry.ts";

const [A, B, C] = [
  { name: "a", value: 1 },
  { name: "b", value: 2 },
  { name: "c", value: 3 },
];
const OTHER_B = { name: "b", value: 9 };

it("adds an entry to the list of now", () => {
  expect(replaceEntry([A, B], null, C)).toEqual({ entries: [A, B, C], at: 2 });
});

it("changes and deletes an entry at its place, and keeps what others have added", () => {
  expect(replaceEntry([C, A, B], B, OTHER_B)).toEqual({ entries: [C, A, OTHER_B], at: 2 });
  expect(replaceEntry([C, A, B], A, null)).toEqual({ entries: [C, B], at: 1 });
});

it("changes nothing if the entry is not as it was seen", () => {
  expect(replaceEntry([A, OTHER_B], B, C)).toEqual({ problem: expect.stringContaining("b was changed meanwhile") });
  expect(replaceEntry([A, OTHER_B], B, null)).toEqual({ problem: expect.stringContaining("b was changed meanwhile") });
  expect(replaceEntry([A], B, C)).toEqual({ problem: expect.stringContaining("b was deleted or renamed") });
  expect(raiseEntry([A, OTHER_B], B)).toEqual({ problem: expect.stringContaining("b was changed meanwhile") });
});

it("moves an entry above the one before it", () => {
  expect(raiseEntry([A, B, C], C)).toEqual({ entries: [A, C, B], at: 1 });
  expect(raiseEntry([A, B, C], A)).toEqual({ entries: [A, B, C], at: 0 });
});
