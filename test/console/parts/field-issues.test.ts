import { expect, it } from "vitest";
import { issuesOfFields } from "../../../src/console/parts/field-issues.ts";

it("gives a problem to the first field that its path names, and leaves out those of no field", () => {
  const names = new Set(["name", "headers", "expression"]);
  const issues = [
    { path: ["probes", "0", "headers", "1", "name"], message: "a" },
    { path: ["probes", "0", "expect", "expression"], message: "b" },
    { path: ["probes"], message: "c" },
  ];
  expect(issuesOfFields(issues, names)).toEqual([
    { path: ["headers"], message: "a" },
    { path: ["expression"], message: "b" },
  ]);
});

it("gives a problem to the field that has its whole path as its name", () => {
  const names = new Set(["name", "stages.0.name", "stages.1.name"]);
  const issues = [{ path: ["stages", "1", "name"], message: "a" }];
  expect(issuesOfFields(issues, names)).toEqual([{ path: ["stages.1.name"], message: "a" }]);
});
