/** The limits in docs/health.md are the product's. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";

const page = readFileSync(new URL("../../docs/health.md", import.meta.url), "utf8");

test("the limits are those of the product", () => {
  const { leaseMs, heartbeatMs, catchUpMs, quickMs, quickChecks, historyBuckets, shards, absentIntervals } =
    HEALTH_LIMITS;
  for (const text of [
    `${shards} shards`,
    `for ${leaseMs / 1000} s and renews that every ${heartbeatMs / 1000} s`,
    `within ${catchUpMs / 1000} s`,
    `${quickMs / 1000} s apart`,
    `at most ${historyBuckets} buckets`,
  ]) {
    expect(page).toContain(text);
  }
  // In words.
  expect([quickChecks, absentIntervals, HEALTH_LIMITS.atOnceHost]).toEqual([3, 3, 4]);
});
