import { expect, it } from "vitest";
import { countOutputs } from "../../../src/model/plan/output-counts.ts";
import { RESOURCE_ACTIONS } from "../../../src/model/plan/plan.ts";

it.each([
  ["CREATE", "additions"],
  ["UPDATE", "changes"],
  ["REPLACE", "changes"],
  ["DELETE", "destructions"],
  ["FORGET", "destructions"],
  ["READ", null],
  ["NO_OP", null],
] as const)("counts an output with the action %s among %s", (action, name) => {
  const none = { additions: 0, changes: 0, destructions: 0 };
  expect(countOutputs([{ action }, { action }])).toEqual(name === null ? none : { ...none, [name]: 2 });
});

it("counts each output once, whatever its action is", () => {
  const { additions, changes, destructions } = countOutputs(RESOURCE_ACTIONS.map((action) => ({ action })));
  expect([additions, changes, destructions]).toEqual([1, 2, 2]);
});
