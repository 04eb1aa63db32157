/** Values that are read for many objects at once are those that graphql-js gets from the resolver of each. */
import {
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from "graphql";
import { expect, it } from "vitest";
import { createItemExecutor } from "../../../src/graphql/execution/execute-items.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { answer } from "./answer.ts";

interface Context {
  /** What was read, in order: the field and for how many objects. */
  reads: string[];
}
interface Thing {
  id: number;
}

const OwnerType = new GraphQLObjectType<Thing, Context>({
  name: "Owner",
  fields: () => ({
    id: { type: new GraphQLNonNull(GraphQLInt) },
    team: related("team", GraphQLString, ({ id }) => `team ${id % 2}`),
    things: { type: new GraphQLList(ThingType), resolve: ({ id }) => [{ id: id * 10 }, { id: id * 10 + 1 }] },
  }),
});

const ThingType: GraphQLObjectType<Thing, Context> = new GraphQLObjectType<Thing, Context>({
  name: "Thing",
  fields: () => ({
    id: { type: new GraphQLNonNull(GraphQLInt) },
    slow: { type: GraphQLString, resolve: async ({ id }) => `slow ${await Promise.resolve(id)}` },
    owner: related("owner", OwnerType, ({ id }) => ({ id: id + 100 })),
    tags: related("tags", new GraphQLList(GraphQLString), ({ id }) => [`a${id}`, `b${id}`]),
    missing: related("missing", GraphQLString, () => null),
    odd: related("odd", GraphQLString, ({ id }) => (id % 2 === 1 ? new Error(`odd ${id}`) : "even")),
    needed: related("needed", new GraphQLNonNull(GraphQLString), ({ id }) =>
      id === 2 ? new Error("not there") : "there",
    ),
    unread: related("unread", GraphQLString, () => {
      throw new Error("cannot be read");
    }),
  }),
});

/** A field whose resolver and whose read for many objects give equal values. */
function related(
  name: string,
  type: GraphQLOutputType,
  valueOf: (thing: Thing) => unknown,
): GraphQLFieldConfig<Thing, Context> {
  return {
    type,
    extensions: {
      readMany: async (things: readonly Thing[], { reads }: Context) => {
        reads.push(`${name} ${things.length}`);
        await Promise.resolve();
        return things.map(valueOf);
      },
    },
    resolve: async (thing) => {
      await Promise.resolve();
      return valueOf(thing);
    },
  };
}

const THINGS = [1, 2, 3].map((id) => ({ id }));
const thingsOf = (ids: readonly number[]): Thing[] => THINGS.filter(({ id }) => ids.includes(id));

const QueryType = new GraphQLObjectType<unknown, Context>({
  name: "Query",
  fields: {
    things: { type: new GraphQLList(ThingType), resolve: () => thingsOf([1, 2, 3]) },
    later: { type: new GraphQLList(ThingType), resolve: () => Promise.resolve(thingsOf([1, 3])) },
    thing: { type: ThingType, resolve: () => THINGS[0] },
    nested: { type: new GraphQLList(new GraphQLList(ThingType)), resolve: () => [thingsOf([1]), [], thingsOf([2, 3])] },
    strict: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ThingType))), resolve: () => THINGS },
  },
});
const schema = new GraphQLSchema({
  query: QueryType,
  subscription: new GraphQLObjectType<unknown, Context>({
    name: "Subscription",
    fields: {
      things: {
        type: new GraphQLList(ThingType),
        resolve: (item: unknown) => item,
        // oxlint-disable-next-line typescript/require-await -- a source is asynchronous
        subscribe: async function* () {
          yield thingsOf([1, 2]);
          yield thingsOf([3]);
        },
      },
    },
  }),
});

/** What is read while the operation is executed from its compiled document. */
async function ask(query: string): Promise<{ result: unknown; isDelegated: boolean; reads: string[] }> {
  const reads: string[] = [];
  const { result, isDelegated } = await answer({ schema, query, contextValue: { reads } });
  // `answer` executes twice.
  return { result, isDelegated, reads: reads.slice(0, reads.length / 2) };
}

it.each([
  ["objects of a list are read at once", "{ things { id owner { id } } }", ["owner 3"]],
  ["keys have the order of the selection", "{ things { owner { id } id tags slow } }", ["owner 3", "tags 3"]],
  ["lists in lists are read at once", "{ nested { tags } }", ["tags 3"]],
  [
    "what was read is read about in turn",
    "{ things { owner { team things { tags } } } }",
    ["owner 3", "team 3", "tags 6"],
  ],
  ["lists that arrive at different times", "{ things { tags } later { tags } }", ["tags 3", "tags 2"]],
  ["a single object has its resolver called", "{ thing { tags owner { id } } }", []],
  ["an empty value", "{ things { missing } }", ["missing 3"]],
  [
    "aliases and fragments",
    "{ things { a: tags ...F } } fragment F on Thing { b: tags tags }",
    ["tags 3", "tags 3", "tags 3"],
  ],
])("%s", async (_name, query, expected) => {
  const { reads, isDelegated } = await ask(query);
  expect(isDelegated).toBe(false);
  expect(reads).toEqual(expected);
});

it("an object whose read gives an error has the error at its own path", async () => {
  const { result, isDelegated } = await ask("{ things { id odd } }");
  expect(isDelegated).toBe(false);
  expect(result).toMatchObject({
    data: { things: [{ odd: null }, { odd: "even" }, { odd: null }] },
    errors: [{ path: ["things", 0, "odd"] }, { path: ["things", 2, "odd"] }],
  });
});

it("a read that fails is an error of each of its objects", async () => {
  const { result } = await ask("{ later { unread } }");
  expect(result).toMatchObject({
    data: { later: [{ unread: null }, { unread: null }] },
    errors: [{ message: "cannot be read" }, { message: "cannot be read" }],
  });
});

it.each(["{ things { id needed } }", "{ strict { id needed } }", "{ things { owner { id } needed } thing { id } }"])(
  "where null is not allowed, graphql-js finds out what is null: %s",
  async (query) => {
    expect((await ask(query)).isDelegated).toBe(true);
  },
);

it("the items of a subscription are read as those of a query", async () => {
  const document = parse("subscription { things { id tags } }");
  const reads: string[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
  const contextValue = { reads } as unknown as GraphqlContext;
  const openItems = createItemExecutor(createOperationCompiler());
  const items = await openItems({ schema, document, contextValue }, () => null);
  if (items === null || !(Symbol.asyncIterator in items)) throw new Error("The subscription was not opened.");
  const found: unknown[] = [];
  for await (const item of items) found.push(JSON.parse(JSON.stringify(item)));
  expect(found).toEqual([
    { data: { things: [1, 2].map((id) => ({ id, tags: [`a${id}`, `b${id}`] })) } },
    { data: { things: [{ id: 3, tags: ["a3", "b3"] }] } },
  ]);
  // The second item has one object, whose resolver is called.
  expect(reads).toEqual(["tags 2"]);
});
