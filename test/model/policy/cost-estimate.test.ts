import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInfracost } from "../../../src/model/policy/cost-estimate.ts";

type Amount = string | number | null | undefined;
const part = (totalMonthlyCost: Amount, resources: object[] = []): object => ({ totalMonthlyCost, resources });
const project = (past: Amount, now: Amount, diff: Amount): object => ({
  ...(past !== undefined && { pastBreakdown: part(past) }),
  ...(now !== undefined && { breakdown: part(now) }),
  ...(diff !== undefined && { diff: part(diff) }),
});
const amounts = (...projects: object[]): unknown[] | null => {
  const cost = readInfracost({ version: "0.2", currency: "USD", projects });
  return cost === null ? null : [cost.monthlyBefore, cost.monthlyAfter, cost.monthlyDelta];
};

describe("an estimate of Infracost", () => {
  it.each<[string, object[], unknown[] | null]>([
    [
      "of one project",
      [project("10", "12.345678901234", "2.345678901234")],
      ["10.00", "12.3456789012", "2.3456789012"],
    ],
    ["that lowers the cost", [project("12", "10", "-2")], ["12.00", "10.00", "-2.00"]],
    ["of several projects", [project("0.1", "0.2", "0.1"), project("0.2", "0.4", "0.2")], ["0.30", "0.60", "0.30"]],
    [
      "that no double holds",
      [project("0", "12345678901234567890.01", "1")],
      ["0.00", "12345678901234567890.01", "12345678901234567890.01"],
    ],
    ["without a past, with a difference", [project(undefined, "100", "0")], ["100.00", "100.00", "0.00"]],
    ["without a past: all of it is added", [project(undefined, "100", undefined)], ["0.00", "100.00", "100.00"]],
    ["of a project that is removed", [project("5", undefined, "-5")], ["5.00", "0.00", "-5.00"]],
    ["whose amounts are numbers", [project(1, 2.5, 1.5)], ["1.00", "2.50", "1.50"]],
    ["without prices", [project(null, "0", null)], ["0.00", "0.00", "0.00"]],
    ["without any amount", [project(null, null, null)], null],
    ["with a difference alone", [project(null, null, "5")], ["0.00", "5.00", "5.00"]],
    ["with a past alone", [project("5", null, null)], ["5.00", "5.00", "0.00"]],
    [
      "with an empty amount, or none in a breakdown",
      [{ ...project("", "1", "1"), diff: {} }],
      ["0.00", "1.00", "1.00"],
    ],
    ["that rounds to nothing", [project("0.000000000001", "0", null)], ["0.00", "0.00", "0.00"]],
    ["with an amount in a list", [{ ...project("1", "1", "1"), breakdown: { totalMonthlyCost: ["1"] } }], null],
    ["with an amount that is none", [project("1", "NaN", "1")], null],
    ["with a past that is none", [project("NaN", "1", "1")], null],
    ["with a difference that is none", [project("1", "1", "NaN")], null],
    ["with an amount in another form", [project("1", "1e3", "1")], null],
    ["with endless digits", [project("1", "9".repeat(100), "1")], null],
  ])("%s", (_name, projects, wanted) => expect(amounts(...projects)).toEqual(wanted));

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["no projects", { projects: [] }],
    ["projects that are none", { projects: [1] }],
    ["a project that is null", { projects: [null] }],
    ["a currency in a list", { currency: ["USD"], projects: [project("1", "2", "1")] }],
    ["a currency with more in front", { currency: "aUSD", projects: [project("1", "2", "1")] }],
    ["a currency with more behind", { currency: "USDa", projects: [project("1", "2", "1")] }],
    ["a currency that is none", { currency: "dollars", projects: [project("1", "2", "1")] }],
    ["projects by name", { projects: { a: project("1", "2", "1") } }],
  ])("is none of %s", (_name, value) => expect(readInfracost(value)).toBeNull());

  it("names its source and its currency", () => {
    const projects = [project("1", "2", "1")];
    expect(readInfracost({ projects })).toMatchObject({ source: "infracost", currency: "USD" });
    expect(readInfracost({ projects, currency: "EUR" })?.currency).toBe("EUR");
  });

  it("orders resources by what changes, in both directions, and equal ones by name", () => {
    const side = (costs: Record<string, string>): object =>
      part(
        "0",
        Object.entries(costs).map(([name, monthlyCost]) => ({ name, monthlyCost })),
      );
    const long = "x".repeat(1030);
    const cost = readInfracost({
      projects: [
        {
          pastBreakdown: side({ less: "90", b: "5", c: "5", kept: "100", [long]: "1" }),
          breakdown: side({ more: "60", b: "10", a: "5", c: "0", kept: "100", [long]: "1" }),
        },
      ],
    });
    const names = ["less", "more", "a", "b", "c", "kept", "x".repeat(1024)];
    expect(cost?.resources.map(({ address }) => address)).toEqual(names);
  });

  it.each([
    [0, 0],
    [3, 3],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, 0],
    [-1, 0],
    [1.5, 0],
    ["4", 0],
    [undefined, 0],
  ])("counts %s resources without a price as %s", (totalUnsupportedResources, count) => {
    const value = { projects: [project("1", "2", "1")], summary: { totalUnsupportedResources } };
    expect(readInfracost(value)?.unsupported).toBe(count);
    expect(readInfracost({ ...value, summary: null })?.unsupported).toBe(0);
  });

  it("lists the resources with the largest changes, once each, and counts those without a price", () => {
    const named = (cost: (at: number) => unknown): object[] =>
      Array.from({ length: 150 }, (_, at) => ({ name: `r${at}`, monthlyCost: cost(at) }));
    const cost = readInfracost({
      projects: [
        {
          pastBreakdown: part("0", [
            ...named(() => "1"),
            { name: "same", monthlyCost: "900" },
            { name: 7, monthlyCost: "1" },
          ]),
          breakdown: part("0", [
            ...named((at) => String(at)),
            { name: "same", monthlyCost: "900" },
            { name: "free", monthlyCost: null },
          ]),
        },
      ],
      summary: { totalUnsupportedResources: 4 },
    });
    expect(cost).toMatchObject({ currency: "USD", unsupported: 4 });
    expect(cost?.resources).toHaveLength(100);
    expect(cost?.resources[0]).toEqual({ address: "r149", monthlyBefore: "1.00", monthlyAfter: "149.00" });
    expect(cost?.resources.map(({ address }) => address)).not.toContain("same");
  });

  it("adds up: before and delta are after", () => {
    const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => (value / 100).toFixed(2));
    fc.assert(
      fc.property(fc.array(fc.tuple(cents, cents), { minLength: 1, maxLength: 5 }), (pairs) => {
        const cost = readInfracost({ projects: pairs.map(([past, now]) => project(past, now, undefined)) });
        const sum = (at: 0 | 1): number => pairs.reduce((all, pair) => all + Math.round(Number(pair[at]) * 100), 0);
        expect(Math.round(Number(cost?.monthlyBefore) * 100)).toBe(sum(0));
        expect(Math.round(Number(cost?.monthlyAfter) * 100)).toBe(sum(1));
        expect(Math.round(Number(cost?.monthlyDelta) * 100)).toBe(sum(1) - sum(0));
      }),
    );
  });
});
