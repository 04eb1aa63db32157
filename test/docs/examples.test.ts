/** The operations in README.md and in each page of docs fit the schema, and are not too large for the API. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { refusalOf } from "../../src/graphql/execution/limits.ts";
import { printSchemaText } from "../../src/graphql/server/print-schema.ts";
import { graphqlExamples } from "../support/graphql-examples.ts";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const schema = buildSchema(printSchemaText());
const pages = globSync(["README.md", "docs/**/*.md"], { cwd }).toSorted();
const examples = pages.flatMap((page) =>
  graphqlExamples(readFileSync(`${cwd}/${page}`, "utf8")).map((text, index) => [page, index + 1, text] as const),
);

test("pages about the API have examples", () => {
  const count = (page: string): number => examples.filter(([name]) => name === `docs/${page}.md`).length;
  expect(count("api")).toBeGreaterThan(4);
  expect(["health", "runners", "verification", "probes"].map(count)).toEqual([3, 2, 1, 2]);
});

test.each(examples)("%s, example %i", (_page, _number, text) => {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  expect(refusalOf(document)).toBeNull();
});
