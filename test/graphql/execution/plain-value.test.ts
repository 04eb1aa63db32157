/** Values of which only properties are selected: whatever is in these, the answer is the library's. */
import fc from "fast-check";
import {
  type DocumentNode,
  execute,
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
import { comparable } from "./comparable.ts";

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
    loud: { type: GraphQLString, resolve: () => "loud" },
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
  ...[
    "text flag",
    "id number kind",
    "a: text number b: text kind flag id",
    "text texts __typename",
    "loud text flag id number kind texts",
  ].map((fields) => `lines { ${fields} }`),
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

const LINE = { text: 'a "line" \u{1f7e2}\n', id: "run_1", number: 7, flag: true, kind: "SAME", texts: ["a"] };

async function compare(document: DocumentNode, lines: unknown, edges: unknown): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
  const contextValue = { lines, edges } as unknown as GraphqlContext;
  const expected = await execute({ schema, document, contextValue });
  // A value that is no list is delegated to graphql-js.
  const found = (await executeQuery({ schema, document, contextValue }, () => null)) ?? expected;
  expect(comparable(found)).toEqual(comparable(expected));
}

it.each(Object.keys(LINE))("is what graphql-js answers, with each odd value in %s of one line", async (name) => {
  const fields = name === "texts" ? "texts" : `text ${name}`;
  // With a resolver beside them the lines are executed, and their properties read.
  for (const document of [parse(`{ lines { ${fields} } }`), parse(`{ lines { ${fields} loud } }`)]) {
    for (const odd of ODD) {
      await compare(document, [LINE, { ...LINE, [name]: odd }], []);
      await compare(document, [LINE, { ...LINE, [name]: [odd] }], []);
    }
  }
});

it("is what graphql-js answers, whatever is in the properties", async () => {
  const odd = fc.constantFrom(...ODD);
  const mostly = (value: unknown) => fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, odd);
  const line = fc.record({
    text: mostly(LINE.text),
    id: mostly(LINE.id),
    number: mostly(LINE.number),
    flag: mostly(LINE.flag),
    kind: mostly(LINE.kind),
    texts: mostly(LINE.texts),
  });
  const lines = fc.array(fc.oneof({ weight: 9, arbitrary: line }, odd), { maxLength: 3 });
  const edge = fc.record({ node: fc.oneof({ weight: 9, arbitrary: line }, odd), others: fc.oneof(lines, odd) });
  const edges = fc.array(fc.oneof({ weight: 9, arbitrary: edge }, odd), { maxLength: 3 });
  const property = fc.asyncProperty(fc.constantFrom(...documents), lines, edges, compare);
  await fc.assert(property, { numRuns: inject("soaks") ? 20_000 : 200 });
}, 600_000);
