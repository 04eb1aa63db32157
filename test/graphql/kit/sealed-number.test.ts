import { expect, it } from "vitest";
import { sealedNumbers } from "../../../src/graphql/kit/sealed-number.ts";
import { fakeCursorKey } from "../../support/fake-tails.ts";

const LARGEST = 2 ** 47;
const numbers = sealedNumbers(fakeCursorKey, "of run_1");

it.each([0, 1, 2, 1000, LARGEST])("opens what was sealed: %i", (position) => {
  const text = numbers.seal(position);
  expect(text).toMatch(/^[\w-]{22}$/);
  expect(numbers.read(text)).toBe(position);
});

it("shows nothing of the number", () => {
  const [one, two] = [numbers.seal(1), numbers.seal(2)];
  const equal = one.split("").filter((letter, index) => letter === two[index]);
  // By chance one letter of 64 is equal.
  expect(equal.length).toBeLessThan(10);
});

it.each([
  ["of another list", sealedNumbers(fakeCursorKey, "of run_2").seal(1)],
  ["that is invented", "A".repeat(22)],
  ["that is too short", "A".repeat(21)],
  ["that was changed", numbers.seal(1).replace(/^./, (letter) => (letter === "A" ? "B" : "A"))],
  ["that is no text", 1],
])("opens none %s", (_what, value) => {
  expect(numbers.read(value)).toBeNull();
});
