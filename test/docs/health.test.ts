/** The examples of docs/health.md fit the schema, and its limits are the product's. */
import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { refusalOf } from "../../src/graphql/execution/limits.ts";
import { printSchemaText } from "../../src/graphql/server/print-schema.ts";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";

const page = readFileSync(new URL("../../docs/health.md", import.meta.url), "utf8");
const schema = buildSchema(printSchemaText());
const examples = [...page.matchAll(/^```graphql\n(.*?)^```$/gms)].map(([, text = ""]) => text);

test("there are three examples", () => {
  expect(examples).toHaveLength(3);
});

test.each(examples.map((text) => [text.slice(0, text.indexOf("\n")), text] as const))("%s", (_title, text) => {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  expect(refusalOf(document)).toBeNull();
});

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
