import { describe, expect, test } from "vitest";
import { readCostOutcome } from "../../../src/model/check/check-cost.ts";
import type { CheckOutcome } from "../../../src/model/check/external-check.ts";

const json = (monthly: string): string =>
  JSON.stringify({ currency: "EUR", projects: [{ breakdown: { totalMonthlyCost: monthly, resources: [] } }] });
const outcome = (outcomeId: string, body: string | null): CheckOutcome => {
  return { outcomeId, description: "", body, url: null, tags: [] };
};
const estimate = (body: string | null): CheckOutcome => outcome("infracost.json", body);
const costing = (monthlyAfter: string): object => ({ cost: { currency: "EUR", monthlyAfter } });

describe("the estimate in the outcomes of a check", () => {
  test("is none without the outcome of its name", () => {
    expect(readCostOutcome([])).toEqual({ cost: null });
    expect(readCostOutcome([outcome("other.json", json("3"))])).toEqual({ cost: null });
  });

  test("is that of the first outcome of its name", () => {
    expect(readCostOutcome([outcome("a", null), estimate(json("3")), estimate(json("4"))])).toMatchObject(
      costing("3.00"),
    );
  });

  test.each([
    ["plain JSON with space around it", `\n ${json("3")} \n`],
    ["a block of code", `\`\`\`\n${json("3")}\n\`\`\``],
    ["a block of code of JSON, with space around it", `\n\`\`\`json\n${json("3")}\n\`\`\`\n`],
    ["a block of several lines", `\`\`\`json\n${JSON.stringify(JSON.parse(json("3")), null, 2)}\n\`\`\``],
  ])("is read from %s", (_name, body) => {
    expect(readCostOutcome([estimate(body)])).toMatchObject(costing("3.00"));
  });

  test.each([
    ["no body", null],
    ["no JSON", "3 EUR"],
    ["JSON of another kind", "{}"],
    ["text before the block", `See:\n\`\`\`\n${json("3")}\n\`\`\``],
    ["text behind the block", `\`\`\`\n${json("3")}\n\`\`\`\nSee above.`],
    ["a block of another language", `\`\`\`yaml\n${json("3")}\n\`\`\``],
  ])("is invalid with %s, and the outcome is named by its index", (_name, body) => {
    expect(readCostOutcome([outcome("a", null), estimate(body)])).toEqual({ invalid: 1 });
  });
});
