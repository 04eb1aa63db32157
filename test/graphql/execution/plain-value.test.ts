/** Values of which only properties are selected: whatever is in these, the answer is the library's. */
import fc from "fast-check";
import {
  execute,
  type ExecutionResult,
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from "graphql";
import { expect, inject, it } from "vitest";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import { nulled } from "./nulled.ts";

const Kind = new GraphQLEnumType({ name: "Kind", values: { SAME: {}, OTHER: { value: "inside" } } });
const Line = new GraphQLObjectType({
  name: "Line",
  fields: {
    text: { type: new GraphQLNonNull(GraphQLString) },
    id: { type: GraphQLID },
    number: { type: GraphQLInt },
    flag: { type: new GraphQLNonNull(GraphQLBoolean) },
    kind: { type: Kind },
    texts: { type: new GraphQLList(GraphQLString) },
  },
});
const Edge = new GraphQLObjectType({
  name: "Edge",
  fields: {
    node: { type: new GraphQLNonNull(Line) },
    others: { type: new GraphQLList(new GraphQLNonNull(Line)) },
    loud: { type: GraphQLString, resolve: () => "loud" },
  },
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, { lines: unknown[]; edges: unknown[] }>({
    name: "Query",
    fields: {
      lines: { type: new GraphQLList(Line), resolve: (_root, _args, { lines }) => lines },
      edges: { type: new GraphQLList(Edge), resolve: (_root, _args, { edges }) => edges },
    },
  }),
});
const executeQuery = createQueryExecutor(createOperationCompiler());
const documents = [
  ...["text flag", "id number kind", "a: text number b: text kind flag id", "text texts __typename"].map(
    (fields) => `lines { ${fields} }`,
  ),
  ...[
    "node { text number }",
    "node { text } others { id }",
    "loud node { text }",
    "node { text ... @skip(if: true) { id } }",
  ].map((fields) => `edges { ${fields} }`),
].map((fields) => parse(`{ ${fields} }`));

const ODD: readonly unknown[] = [
  null,
  undefined,
  "",
  "SAME",
  "OTHER",
  "inside",
  0,
  -0,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  Number.NaN,
  true,
  false,
  ["list"],
  {},
  new Error("failed"),
  Promise.resolve("SAME"),
  () => "SAME",
];

it("is what the library answers, whatever is in the properties", async () => {
  const odd = fc.constantFrom(...ODD);
  const mostly = (value: unknown) => fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, odd);
  const line = fc.record({
    text: mostly('a "line" \u{1f7e2}\n'),
    id: mostly("run_1"),
    number: mostly(7),
    flag: mostly(true),
    kind: mostly("SAME"),
    texts: mostly(["a"]),
  });
  const lines = fc.array(fc.oneof({ weight: 9, arbitrary: line }, odd), { maxLength: 3 });
  const edge = fc.record({ node: fc.oneof({ weight: 9, arbitrary: line }, odd), others: fc.oneof(lines, odd) });
  const edges = fc.array(fc.oneof({ weight: 9, arbitrary: edge }, odd), { maxLength: 3 });
  const property = fc.asyncProperty(fc.constantFrom(...documents), lines, edges, async (document, ...given) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
    const contextValue = { lines: given[0], edges: given[1] } as unknown as GraphqlContext;
    const expected = await execute({ schema, document, contextValue });
    // What is no list is left to the library.
    const found = (await executeQuery({ schema, document, contextValue }, () => null)) ?? expected;
    expect(JSON.stringify(found.data)).toBe(JSON.stringify(expected.data));
    const places = ({ data, errors = [] }: ExecutionResult) =>
      new Set(errors.map(({ path }) => nulled(data, path).join(".")));
    expect(places(found)).toEqual(places(expected));
  });
  await fc.assert(property, { numRuns: inject("soaks") ? 20_000 : 300 });
});
