/** What needs no more of an object than its id is read beside the look for it, and told only where it is there. */
import {
  execute,
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from "graphql";
import { expect, it } from "vitest";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import { FINDS_BY_ID, NEEDS_ONLY_ID } from "../../../src/graphql/execution/read-ahead.ts";

interface Context {
  asked: string[];
}
interface Run {
  id: string;
  status: string;
}

const RunType = new GraphQLObjectType<Run, Context>({
  name: "Run",
  fields: {
    id: { type: GraphQLID },
    status: { type: GraphQLString },
    log: {
      type: new GraphQLNonNull(GraphQLString),
      extensions: NEEDS_ONLY_ID,
      args: { first: { type: GraphQLInt } },
      resolve: async ({ id }, { first }, { asked }) => {
        asked.push(`log ${id}`);
        await Promise.resolve();
        if (first < 0) throw new Error("negative");
        return `${id} ${first}`;
      },
    },
    broken: {
      type: GraphQLString,
      extensions: NEEDS_ONLY_ID,
      resolve: ({ id }, _args, { asked }) => {
        asked.push(`broken ${id}`);
        throw new Error("at once");
      },
    },
  },
});
const run: GraphQLFieldConfig<unknown, Context> = {
  type: RunType,
  extensions: FINDS_BY_ID,
  args: { id: { type: new GraphQLNonNull(GraphQLID) } },
  resolve: async (_root, { id }, { asked }) => {
    asked.push(`run ${id}`);
    await new Promise((resolve) => setImmediate(resolve));
    return id === "none" ? null : { id, status: "READY" };
  },
};
const QueryType: GraphQLObjectType<unknown, Context> = new GraphQLObjectType<unknown, Context>({
  name: "Query",
  fields: () => ({ run, again: { type: new GraphQLList(QueryType), resolve: () => [{}, {}] } }),
});
const schema = new GraphQLSchema({ query: QueryType });
const executeQuery = createQueryExecutor(createOperationCompiler());

it.each([
  ["{ run(id: 1) { log(first: 3) } }", ["log 1", "run 1"]],
  [
    "{ run(id: 1) { id __typename log(first: 3) } two: run(id: 2) { log(first: 4) } }",
    ["log 1", "run 1", "log 2", "run 2"],
  ],
  ["{ run(id: 1) { status log(first: 3) } }", ["run 1", "log 1"]],
  ["{ run(id: 1) { log(first: -1) } }", ["log 1", "run 1"]],
  ['{ run(id: "none") { log(first: 1) } }', ["log none", "run none"]],
  ['{ run(id: "none") { log(first: -1) } }', ["log none", "run none"]],
  ["{ run(id: 1) { id broken } }", ["broken 1", "run 1"]],
  ['{ run(id: "none") { broken } }', ["broken none", "run none"]],
  ["{ again { run(id: 1) { log(first: 1) } } }", ["run 1", "run 1", "log 1", "log 1"]],
  [
    "{ run(id: 1) { ...F } two: run(id: 2) { ...F @skip(if: true) log(first: 1) } } fragment F on Run { log(first: 2) }",
    ["log 1", "run 1", "log 2", "run 2"],
  ],
])("%s is answered as the library answers it", async (query, asked) => {
  const context: Context = { asked: [] };
  const document = parse(query);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
  const found = await executeQuery(
    { schema, document, contextValue: context as unknown as GraphqlContext },
    () => null,
  );
  expect(context.asked).toEqual(asked);
  const expected = await execute({ schema, document, contextValue: { asked: [] } });
  expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
});
