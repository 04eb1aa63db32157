/** The examples of docs/runners.md work: its operations fit the schema, and it has every flag. */
import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { printSchemaText } from "../../src/graphql/server/print-schema.ts";
import { RUNNER_HELP } from "../../src/server/runner-config.ts";

const page = readFileSync(new URL("../../docs/runners.md", import.meta.url), "utf8");

test("its operations are the schema's", () => {
  const schema = buildSchema(printSchemaText());
  const examples = [...page.matchAll(/^```graphql\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  expect(examples).toHaveLength(2);
  for (const text of examples) expect(validate(schema, parse(text))).toEqual([]);
});

test("flags and variables are those of the help", () => {
  const flags = [...RUNNER_HELP.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
  const variables = [...new Set([...RUNNER_HELP.matchAll(/HOLDPOINT_[A-Z_]+/g)].map(([name]) => name))];
  expect(flags.length).toBeGreaterThan(10);
  expect([...page.matchAll(/^\| `(--[a-z-]+)`/gm)].map(([, flag]) => flag)).toEqual(flags);
  expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
