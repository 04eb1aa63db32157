/** `@skip` and `@include` on fields, fragments and their spreads, by literals and by variables. */
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import { describe, expect, test } from "vitest";
import { answer } from "./answer.ts";

const Box: GraphQLObjectType = new GraphQLObjectType({
  name: "Box",
  fields: () => ({
    a: { type: GraphQLString, resolve: () => "a" },
    b: { type: GraphQLString, resolve: () => "b" },
    box: { type: Box, resolve: () => ({}) },
  }),
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: "Query", fields: { box: { type: Box, resolve: () => ({}) } } }),
});

const PLACES: readonly [string, (directives: string) => string][] = [
  ["a field", (directives) => `{ box { a b ${directives} } }`],
  ["an inline fragment", (directives) => `{ box { a ... on Box ${directives} { b } } }`],
  ["an inline fragment without a type", (directives) => `{ box { a ... ${directives} { b } } }`],
  ["the spread of a fragment", (directives) => `{ box { a ...F ${directives} } } fragment F on Box { b }`],
];

/** With `yes` and `no` as they are called, and whether the selection is there. */
const CONDITIONS: readonly [string, boolean][] = [
  ["@include(if: $yes)", true],
  ["@include(if: $no)", false],
  ["@skip(if: $yes)", false],
  ["@skip(if: $no)", true],
  ["@include(if: $yes) @skip(if: $no)", true],
  ["@include(if: $yes) @skip(if: $yes)", false],
  ["@include(if: $no) @skip(if: $no)", false],
  ["@include(if: $no) @skip(if: $yes)", false],
];

describe.each(PLACES)("on %s", (_place, document) => {
  test.each(CONDITIONS)("%s", async (directives, isThere) => {
    const data = { box: isThere ? { a: "a", b: "b" } : { a: "a" } };
    const literal = document(directives.replaceAll("$yes", "true").replaceAll("$no", "false"));
    expect(await answer({ schema, query: literal })).toEqual({ result: { data }, isDelegated: false });
    const query = `query ($yes: Boolean!, $no: Boolean = false) ${document(directives)}`;
    // A variable may be unused, which validation alone would refuse.
    const { result } = await answer({ schema, query, variableValues: { yes: true } });
    expect(result).toEqual({ data });
  });
});

test("a selection that is left out everywhere leaves an empty object", async () => {
  const { result } = await answer({ schema, query: "{ box { a @skip(if: true) ... @include(if: false) { b } } }" });
  expect(result).toEqual({ data: { box: {} } });
});

test("a fragment that was left out at one place is there at another, and once only", async () => {
  const query = "{ box { ...F @skip(if: true) box { ...F } ...F ...F } } fragment F on Box { a }";
  const { result } = await answer({ schema, query });
  expect(result).toEqual({ data: { box: { box: { a: "a" }, a: "a" } } });
});

test("a field counts if one of its places does", async () => {
  const query = "{ box { a @skip(if: true) b a box @skip(if: true) { a } box { b } } }";
  const { result } = await answer({ schema, query });
  expect(result).toEqual({ data: { box: { b: "b", a: "a", box: { b: "b" } } } });
});

test("a condition that is null where it must not be is an error at each object that has the selection", async () => {
  const query = "query ($no: Boolean = false) { one: box { a @skip(if: $no) } box { box { b @skip(if: $no) } } }";
  const { result, isDelegated } = await answer({ schema, query, variableValues: { no: null } });
  expect(isDelegated).toBe(true);
  expect(result).toMatchObject({
    errors: [{ path: ["one"] }, { path: ["box", "box"] }],
    data: { one: null, box: { box: null } },
  });
});
