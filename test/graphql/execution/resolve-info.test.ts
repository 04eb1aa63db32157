/** Resolvers that ask for an info are given the one that graphql-js gives them; all others share one. */
import {
  execute,
  type ExecutionResult,
  GraphQLBoolean,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  parse,
  responsePathAsArray,
} from "graphql";
import { describe, expect, test } from "vitest";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import { FINDS_BY_ID, NEEDS_ONLY_ID } from "../../../src/graphql/execution/read-ahead.ts";

interface Context {
  signals: (AbortSignal | undefined)[];
  seen: unknown[];
}
type Field = GraphQLFieldConfig<unknown, Context>;

/** Everything that an info says, in JSON. */
function shown(info: GraphQLResolveInfo): string {
  const typenames = [];
  for (let part: typeof info.path | undefined = info.path; part !== undefined; part = part.prev) {
    typenames.push(part.typename);
  }
  return JSON.stringify({
    field: [info.fieldName, String(info.returnType), info.parentType.name],
    path: [responsePathAsArray(info.path), typenames],
    root: info.rootValue,
    variables: info.variableValues.coerced,
    operation: [info.operation.name?.value, info.fieldNodes.length, Object.keys(info.fragments)],
    isOfSchema: info.schema.getQueryType()?.name,
  });
}

const informed: Field = { type: GraphQLString, resolve: (_source, _args, _context, info) => shown(info) };
const Thing: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: "Thing",
  fields: { informed: { type: GraphQLString } },
  resolveType: ({ kind }, { seen }: Context, info) => {
    if (kind === "plain") return "Leaf";
    seen.push(shown(info));
    return "Leaf";
  },
});
const Leaf: GraphQLObjectType = new GraphQLObjectType<unknown, Context>({
  name: "Leaf",
  interfaces: [Thing],
  fields: () => ({
    informed,
    rest: { type: GraphQLString, resolve: (...parameters) => shown(parameters[3]) },
    /** Its number of parameters does not show that it reads the info. */
    hidden: {
      type: GraphQLString,
      resolve: function resolve(_source) {
        // oxlint-disable-next-line prefer-rest-params -- what this test is about
        return shown(arguments[3]);
      },
    },
    method: { type: GraphQLString },
    later: { type: Leaf, resolve: () => Promise.resolve({}) },
    list: { type: new GraphQLList(new GraphQLList(Leaf)), resolve: () => [[{}, Promise.resolve({})], [{}]] },
    thing: { type: Thing, resolve: () => ({ kind: "plain" }) },
    told: { type: new GraphQLList(Thing), resolve: () => [{}, {}] },
    helped: {
      type: new GraphQLList(GraphQLInt),
      resolve: (_source, _args, _context, { getAsyncHelpers }) => getAsyncHelpers().promiseAll([1, Promise.resolve(2)]),
    },
    signal: {
      type: GraphQLBoolean,
      resolve: (_source, _args, { signals }, { getAbortSignal }) => {
        const signal = getAbortSignal();
        signals.push(signal);
        return signal?.aborted;
      },
    },
  }),
});
const Filter = new GraphQLInputObjectType({
  name: "Filter",
  fields: { names: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) } },
});
const changing: Field = {
  type: GraphQLInt,
  args: { filter: { type: Filter } },
  resolve: (_source, { filter }) => filter.names.push("more"),
};
const schema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, Context>({
    name: "Query",
    fields: {
      informed,
      changing,
      leaf: {
        type: Leaf,
        resolve: () => ({ method: (_args: unknown, _context: unknown, info: GraphQLResolveInfo) => shown(info) }),
      },
      found: {
        type: new GraphQLObjectType({ name: "Found", fields: { ahead: { ...informed, extensions: NEEDS_ONLY_ID } } }),
        args: { id: { type: GraphQLString } },
        extensions: FINDS_BY_ID,
        resolve: () => ({}),
      },
    },
  }),
  types: [Leaf],
});

async function both(query: string, variableValues: Record<string, unknown> = {}) {
  const executeQuery = createQueryExecutor(createOperationCompiler());
  const context = (): Context => ({ signals: [], seen: [] });
  const given = { schema, document: parse(query), variableValues, rootValue: { of: "the root" } };
  const ours = context();
  const theirs = context();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
  const contextValue = ours as unknown as GraphqlContext;
  const found: ExecutionResult | null = await executeQuery({ ...given, contextValue }, () => null);
  const expected = await execute({ ...given, contextValue: theirs });
  return { found, expected, ours, theirs };
}

describe("a full info", () => {
  test.each([
    "query Q($n: Int = 3, $s: String) { informed a: informed ...F } fragment F on Query { a: informed }",
    "{ leaf { informed method } }",
    "{ leaf { rest later { informed list { informed thing { informed } } } } }",
    '{ found(id: "1") { ahead } }',
    "{ leaf { helped } }",
  ])("is what graphql-js gives: %s", async (query) => {
    const { found, expected } = await both(query, { s: "set" });
    expect(expected.errors).toBeUndefined();
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
  });

  test.each(["{ leaf { hidden } }", "{ leaf { told { informed } } }"])(
    "is left to graphql-js for functions that do not declare it: %s",
    async (query) => {
      const { found } = await both(query);
      expect(found).toBeNull();
    },
  );

  test("has a signal that is aborted when the operation is over", async () => {
    const { found, expected, ours, theirs } = await both("{ leaf { signal later { signal } } }");
    expect(found).toEqual(expected);
    expect(found).toEqual({ data: { leaf: { signal: false, later: { signal: false } } } });
    for (const { signals } of [ours, theirs]) {
      expect(new Set(signals).size).toBe(1);
      expect(signals[0]?.aborted).toBe(true);
    }
  });
});

test.each([
  ["constant", '{ changing(filter: { names: ["one"] }) }', {}],
  ["in a variable", "query ($filter: Filter) { changing(filter: $filter) }", { filter: { names: ["one"] } }],
])("arguments that are %s cannot be changed by a resolver", async (_where, query, variables) => {
  const { found } = await both(query, variables);
  expect(found).toMatchObject({ data: { changing: null }, errors: [{ message: /object is not extensible/ }] });
});
