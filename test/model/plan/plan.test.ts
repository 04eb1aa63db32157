import { expect, test } from "vitest";
import { type PlanCounts, type ResourceAction, staleReason, understated } from "../../../src/model/plan/plan.ts";
import { NO_FACTS } from "../../support/resource-changes.ts";

const NOTHING: PlanCounts = {
  additions: 0,
  changes: 0,
  destructions: 0,
  replacements: 0,
  imports: 0,
  moves: 0,
  forgets: 0,
};

/** A plan that lists these actions and counts these. */
function plan(actions: ResourceAction[], counts: Partial<PlanCounts>) {
  const resourceChanges = actions.map((action, index) => ({
    address: `a.b[${index}]`,
    type: "a",
    name: "b",
    module: null,
    action,
    createBeforeDestroy: null,
    previousAddress: null,
    imported: false,
    before: null,
    after: null,
    sensitivePaths: [],
    unknownPaths: [],
    ...NO_FACTS,
  }));
  return { counts: { ...NOTHING, ...counts }, resourceChanges };
}

test.each<[string, ResourceAction[], Partial<PlanCounts>, ResourceAction | null]>([
  ["nothing", [], {}, null],
  ["as many as it counts", ["DELETE", "REPLACE", "FORGET"], { destructions: 1, replacements: 1, forgets: 1 }, null],
  ["fewer than it counts", ["DELETE"], { destructions: 2 }, null],
  ["a deletion too many", ["DELETE", "DELETE"], { destructions: 1, replacements: 9, forgets: 9 }, "DELETE"],
  ["a replacement too many", ["REPLACE"], { destructions: 9, forgets: 9 }, "REPLACE"],
  ["a forgotten resource too many", ["FORGET"], { destructions: 9, replacements: 9 }, "FORGET"],
  ["creations that are not counted, which destroy nothing", ["CREATE", "UPDATE"], {}, null],
])("a plan that lists %s", (_name, actions, counts, expected) => {
  expect(understated(plan(actions, counts))).toBe(expected);
});

test("a plan is stale as soon as the state has another serial than it was made from", () => {
  expect(staleReason({ stateSerial: 7 }, { stateSerial: 7 })).toBeNull();
  expect(staleReason({ stateSerial: 7 }, { stateSerial: 8 })).toMatch(/7.*8/);
  expect(staleReason({ stateSerial: 8 }, { stateSerial: 7 })).toMatch(/8.*7/);
});
