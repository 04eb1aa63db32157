/** The figures in docs/verification.md and docs/probes.md are the product's. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PROBE_KINDS } from "../../src/model/probe/probe.ts";
import { PROBE_LIMITS } from "../../src/model/probe/probe-limits.ts";
import { ROLLBACK_MODES } from "../../src/model/workspace/rollback-settings.ts";
import { VERIFICATION_LIMITS } from "../../src/model/workspace/verification-limits.ts";
import { DEFAULT_VERIFICATION } from "../../src/model/workspace/verification-settings.ts";

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

/** The first two columns of the rows of a table whose first column is code, by the first. */
const rowsOf = (page: string): Map<string, string> =>
  new Map([...page.matchAll(/^\| `(\w+)` +\| (.*?) *\|/gm)].map(([, name = "", second = ""]) => [name, second]));

describe("docs/verification.md", () => {
  const page = read("verification");
  const rows = rowsOf(page);

  test.each(Object.entries(DEFAULT_VERIFICATION))("has the default of %s", (field, value) => {
    expect(rows.get(field)?.replaceAll("`", "")).toBe(value === null ? "none" : String(value));
  });

  test("has the modes of a rollback, and the limits of the product", () => {
    expect(ROLLBACK_MODES.filter((mode) => !rows.has(mode))).toEqual([]);
    const { windowSeconds, judgementMs, leaseMs, leastFreshIntervalMs, freshIntervals } = VERIFICATION_LIMITS;
    for (const text of [
      `${windowSeconds.least} to ${windowSeconds.most}`,
      `after ${judgementMs / 3_600_000} hours`,
      `a lease of ${leaseMs / 1000} seconds`,
      `at least ${(leastFreshIntervalMs * freshIntervals) / 1000} seconds`,
    ]) {
      expect(page).toContain(text);
    }
    // In words.
    expect([VERIFICATION_LIMITS.baselineTries, freshIntervals]).toEqual([3, 3]);
  });
});

test("docs/probes.md has each kind of a probe, and the limits of the product", () => {
  const page = read("probes");
  expect(PROBE_KINDS.filter((kind) => !rowsOf(page).has(kind))).toEqual([]);
  expect(page).toContain(`${PROBE_LIMITS.targetsPerProbe} targets`);
  expect(page).toContain(`waits for ${PROBE_LIMITS.runnerTestMs / 1000} s`);
});
