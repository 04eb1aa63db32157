import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { printLifecycle } from "../../../src/model/lifecycle/print-lifecycle.ts";
import { RUN_STATUSES } from "../../../src/model/lifecycle/run-status.ts";
import { TRANSITIONS } from "../../../src/model/lifecycle/run-transitions.ts";

test("docs/run-lifecycle.md is what the table prints; if not, run `npm run generate`", async () => {
  const committed = await readFile(new URL("../../../docs/run-lifecycle.md", import.meta.url), "utf8");
  expect(committed).toBe(printLifecycle());
});

test("every status and every row of the table is printed", () => {
  const lines = printLifecycle().split("\n");
  for (const status of RUN_STATUSES) expect(lines.filter((line) => line.startsWith(`| ${status} |`))).not.toEqual([]);
  const start = lines.indexOf("## Transitions");
  const end = lines.indexOf("## Dialects");
  const rows = lines.slice(start, end).filter((line) => line.startsWith("| "));
  expect(rows.slice(1).map((row) => row.split(" | ")[0])).toEqual(TRANSITIONS.map(({ name }) => `| ${name}`));
});
