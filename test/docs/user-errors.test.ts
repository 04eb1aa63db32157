/** Every mutation that a page shows selects `UserError`, with the faults of its input where it can have some. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import {
  buildSchema,
  getNamedType,
  isAbstractType,
  Kind,
  type FieldNode,
  type InlineFragmentNode,
  parse,
  type SelectionSetNode,
} from "graphql";
import { expect, test } from "vitest";
import { printSchemaText } from "../../src/graphql/server/print-schema.ts";
import { graphqlExamples } from "../support/graphql-examples.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const schema = buildSchema(printSchemaText());

/** Documents in blocks of their own, and those in the JSON that a shell sends. */
function documentsOf(page: string): string[] {
  const sent = [...page.matchAll(/"query": "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]): string =>
    JSON.parse(`"${text}"`),
  );
  return [...graphqlExamples(page), ...sent];
}

function fragmentOn(set: SelectionSetNode | undefined, type: string): InlineFragmentNode | undefined {
  return set?.selections
    .filter((selection) => selection.kind === Kind.INLINE_FRAGMENT)
    .find(({ typeCondition }) => typeCondition?.name.value === type);
}

interface Shown {
  title: string;
  field: FieldNode;
}

const shown = globSync(["README.md", "docs/*.md"], { cwd: root }).flatMap((path) =>
  documentsOf(readFileSync(`${root}/${path}`, "utf8")).flatMap((text): Shown[] =>
    parse(text).definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== "mutation") return [];
      const fields = definition.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
      return fields.map((field) => ({ title: `${basename(path)}: ${field.name.value}`, field }));
    }),
  ),
);

test("mutations are shown, in the README too", () => {
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["README.md: approveRun", "api.md: approveRun"]),
  );
});

test.each(shown)("$title", ({ field }) => {
  const result = schema.getMutationType()?.getFields()[field.name.value]?.type;
  const type = result === undefined ? undefined : getNamedType(result);
  if (!isAbstractType(type)) throw new Error("This is no mutation.");
  const members = schema.getPossibleTypes(type).map(({ name }) => name);
  const errors = fragmentOn(field.selectionSet, "UserError");
  expect(errors).toBeDefined();
  const faults = fragmentOn(errors?.selectionSet, "InvalidInputError");
  expect(faults !== undefined).toBe(members.includes("InvalidInputError"));
});
