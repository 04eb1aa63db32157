import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { changedWays, readPlans, waysOf } from "../../bench/plans/ways.ts";
import { renderScaling } from "../../bench/scaling/document.ts";

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("docs/scaling.md is what was measured last, in the words of its template", async () => {
  const figures = JSON.parse(await read("docs/scaling.json"));
  expect(renderScaling(await read("bench/scaling/scaling.md.template"), figures)).toBe(await read("docs/scaling.md"));
});

test("sentences have figures with three meaningful digits, computed from others on request", () => {
  const figures = { one: 12.3456, two: 2000, table: "| a |" };
  expect(renderScaling("{{one}} and {{two}}\n{{table}}", figures)).toBe("12.3 and 2,000\n| a |");
  expect(renderScaling("{{two * 3 / 4 / 1000}}", figures)).toBe("1.5");
  expect(() => renderScaling("{{three}}", figures)).toThrow("three");
});

test("plans are compared by the indexes that they use, not by how they are joined", async () => {
  const before = readPlans(await read("bench/plans/plans.txt"));
  expect(waysOf(before.get("runs of a workspace") ?? "")).toEqual([
    "run by run_in_workspace",
    "workspace by workspace_pkey",
  ]);
  expect(changedWays(before, before)).toEqual([]);
  const joined = new Map([["a job", "Limit\n  Index Scan using job_pkey on job"]]);
  expect(changedWays(before, joined)).toEqual([]);
  const changed = new Map([
    ["a job", "Seq Scan on job"],
    ["a new one", "Seq Scan on job"],
  ]);
  expect(changedWays(before, changed)).toEqual(["`a job` went by job by job_pkey, and goes by job as a whole"]);
});
