import { expect, test } from "vitest";

import { planCounts } from "../../src/cli/run-report.ts";

const counts = {
  version: 1,
  digest: "d",
  complete: true,
  additions: 1,
  changes: 0,
  destructions: 0,
  replacements: 0,
  imports: 0,
  moves: 0,
  forgets: 0,
};

test("the three usual counts are always there, the others when they occur", () => {
  expect(planCounts(counts)).toBe("1 to add, 0 to change, 0 to destroy");
  expect(planCounts({ ...counts, replacements: 2, moves: 1 })).toBe(
    "1 to add, 0 to change, 0 to destroy, 2 to replace, 1 to move",
  );
});
