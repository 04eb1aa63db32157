import { expect, test } from "vitest";
import { legalChanges } from "../../../src/model/lifecycle/legal-changes.ts";

const print = ({ from, to }: ReturnType<typeof legalChanges>[number]): string =>
  `${from === null ? "-" : `${from.status}/${from.leg}`} > ${to.status}/${to.leg}/${to.outcome ?? ""}`;

test("a status that several lead to has a change from each of them, and each change is there once", () => {
  const ofPlan = legalChanges().filter(({ kind }) => kind === "PLAN");
  const printed = ofPlan.map(print);
  expect(printed).toContain("QUEUED/PLAN > CANCELED/PLAN/");
  expect(printed).toContain("READY/PLAN > CANCELED/PLAN/");
  expect(printed.filter((change) => change.startsWith("- > "))).toEqual(["- > QUEUED/PLAN/", "- > SKIPPED/PLAN/"]);
  expect(new Set(printed).size).toBe(printed.length);
});
