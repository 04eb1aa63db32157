import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { FAILURE_CODES } from "../../../src/model/lifecycle/failure-code.ts";
import { FAILURE_CATALOGUE } from "../../../src/model/lifecycle/failure-catalogue.ts";
import { FAILURE_REASON_NAMES } from "../../../src/model/lifecycle/failure-reason.ts";
import { printFailures } from "../../../src/model/lifecycle/print-failures.ts";

test("docs/failures.md is what the catalogue prints; if not, run `npm run generate`", async () => {
  const committed = await readFile(new URL("../../../docs/failures.md", import.meta.url), "utf8");
  expect(committed).toBe(printFailures());
});

test("every reason and every code has a row, and a fix", () => {
  const rows = printFailures()
    .split("\n")
    .map((line) => line.split(" | ")[0]);
  for (const name of [...FAILURE_REASON_NAMES, ...FAILURE_CODES]) expect(rows).toContain(`| \`${name}\``);
  for (const { fix, meaning } of FAILURE_CATALOGUE)
    expect([fix, meaning].every((text) => text.endsWith("."))).toBe(true);
});
