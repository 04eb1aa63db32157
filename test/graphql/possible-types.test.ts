/** schema/possible-types.json is what Apollo's cache needs to keep fields of fragments on interfaces. */
import { readFileSync } from "node:fs";
import { gql, InMemoryCache } from "@apollo/client";
import { isAbstractType } from "graphql";
import { expect, test } from "vitest";
import { schema } from "../../src/graphql/server/schema.ts";

const file = new URL("../../schema/possible-types.json", import.meta.url);
const { possibleTypes }: { possibleTypes: Record<string, string[]> } = JSON.parse(readFileSync(file, "utf8"));

test("it names every interface and union with its types, as the schema has them", () => {
  const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType);
  const expected = abstract.map((type) => [
    type.name,
    schema
      .getPossibleTypes(type)
      .map(({ name }) => name)
      .toSorted(),
  ]);
  const found = Object.entries(possibleTypes).map(([name, types]) => [name, types.toSorted()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(Object.keys(possibleTypes)).toEqual(expect.arrayContaining(["StreamItem", "UserError", "Node", "Actor"]));
});

const item = gql`{ runEvents { ... on StreamItem { cursor } } }`;
const refused = gql`{
  createRun { ... on UserError { code message ... on InvalidInputError { issues { path message } } } }
}`;
const ITEM = { runEvents: { __typename: "RunStatusChanged", cursor: "c" } };
const REFUSED = {
  createRun: {
    __typename: "InvalidInputError",
    code: "INVALID_INPUT",
    message: "No.",
    issues: [{ __typename: "InputIssue", path: ["message"], message: "too long" }],
  },
};

/** What is left of an answer once the cache has had it. */
function throughCache(options: object, query: ReturnType<typeof gql>, data: object): unknown {
  const cache = new InMemoryCache(options);
  cache.writeQuery({ query, data });
  return cache.readQuery({ query });
}

test.each([
  ["cursors of streams", item, ITEM],
  ["fields of errors", refused, REFUSED],
])("Apollo's cache keeps %s with it, and drops them without it", (_what, query, data) => {
  expect(throughCache({}, query, data)).not.toEqual(data);
  expect(throughCache({ possibleTypes }, query, data)).toEqual(data);
});
