/** Items of subscriptions are executed as the library executes them, and a stream is closed while it waits. */
import {
  type ExecutionResult,
  GraphQLBoolean,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  parse,
  responsePathAsArray,
  subscribe,
} from "graphql";
import { describe, expect, it } from "vitest";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { createItemExecutor } from "../../../src/graphql/execution/execute-items.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import { Loaders } from "../../../src/graphql/kit/loader.ts";
import { createFakeDomain, fakeCaller } from "../../support/fake-domain.ts";
import { createFakeTails, fakeCursorKey } from "../../support/fake-tails.ts";

interface Item {
  number: number;
}

const ItemType = new GraphQLObjectType<Item>({
  name: "Item",
  fields: {
    number: { type: new GraphQLNonNull(GraphQLInt) },
    later: { type: GraphQLInt, resolve: ({ number }) => new Promise((resolve) => setImmediate(resolve, number)) },
    odd: {
      type: GraphQLString,
      resolve: ({ number }) => {
        if (number % 2 === 1) throw new Error(`${number} is odd.`);
        return "even";
      },
    },
    needed: { type: new GraphQLNonNull(GraphQLString), resolve: ({ number }) => (number === 2 ? null : "there") },
    times: { type: GraphQLInt, args: { by: { type: GraphQLInt } }, resolve: ({ number }, { by }) => number * by },
  },
});
/** Resolved asynchronously, which is delegated to graphql-js. */
const AnyType = new GraphQLUnionType({ name: "Any", types: [ItemType], resolveType: () => Promise.resolve("Item") });

const args = { count: { type: new GraphQLNonNull(GraphQLInt) }, refuse: { type: GraphQLBoolean } };
const open = (_root: unknown, { count, refuse }: { count: number; refuse?: boolean }) => {
  if (refuse === true) throw new Error("It is refused.");
  return items(count);
};
async function* one<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}
async function* breaking(): AsyncGenerator<Item> {
  yield { number: 1 };
  throw new Error("broken");
}
async function* items(count: number): AsyncGenerator<Item> {
  for (let number = 1; number <= count; number += 1) yield { number };
}

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: "Query", fields: { ok: { type: GraphQLBoolean } } }),
  subscription: new GraphQLObjectType({
    name: "Subscription",
    fields: {
      items: { type: new GraphQLNonNull(ItemType), args, subscribe: open, resolve: (item) => item },
      any: { type: AnyType, args, subscribe: open, resolve: (item) => item },
      ofRoot: { type: ItemType, resolve: (item) => item },
      iterable: {
        type: ItemType,
        subscribe: () => ({ [Symbol.asyncIterator]: () => items(2) }),
        resolve: (item) => item,
      },
      later: { type: ItemType, subscribe: () => Promise.resolve(items(2)), resolve: (item) => item },
      nothing: { type: ItemType, subscribe: () => "no items" },
      returned: { type: ItemType, subscribe: () => new Error("returned") },
      breaks: { type: ItemType, subscribe: breaking, resolve: (item) => item },
      informed: {
        type: GraphQLString,
        subscribe: (_root, _args, _context, info) => {
          const { path, variableValues, rootValue } = info;
          return one(
            JSON.stringify([responsePathAsArray(path), variableValues.coerced, Object.keys(Object(rootValue))]),
          );
        },
        resolve: (text) => text,
      },
      never: { type: ItemType, subscribe: () => silent, resolve: (item) => item },
    },
  }),
});

/** Nothing comes; `return()` wakes who waits. */
const waiting: ((result: IteratorResult<Item>) => void)[] = [];
const silent: AsyncIterableIterator<Item> = {
  next: () => new Promise((resolve) => waiting.push(resolve)),
  return: () => {
    for (const wake of waiting.splice(0)) wake({ done: true, value: undefined });
    return Promise.resolve({ done: true, value: undefined });
  },
  [Symbol.asyncIterator]: () => silent,
};

const { domain } = createFakeDomain();
const contextValue: GraphqlContext = {
  caller: fakeCaller,
  domain,
  tails: createFakeTails().tails,
  epoch: "",
  cursorKeyOf: fakeCursorKey,
  loaders: new Loaders(domain, fakeCaller),
};
const openItems = createItemExecutor(createOperationCompiler());

async function collect(opened: unknown): Promise<unknown> {
  const stream = await opened;
  if (typeof stream !== "object" || stream === null || !(Symbol.asyncIterator in stream)) return plain(stream);
  const results: unknown[] = [];
  try {
    for await (const result of stream as AsyncIterable<ExecutionResult>) results.push(plain(result));
  } catch (error) {
    results.push(String(error));
  }
  return results;
}

/** As it is sent. */
function plain(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result));
}

const DOCUMENTS: [string, string, Record<string, unknown>?][] = [
  ["fields", "subscription { items(count: 3) { number __typename } }"],
  ["other names, fragments", "subscription { x: items(count: 3) { n: number ...F } } fragment F on Item { later }"],
  ["fields that fail", "subscription { items(count: 3) { number odd later } }"],
  ["what must not be null", "subscription { items(count: 3) { needed } }"],
  ["variables", "subscription ($c: Int!, $b: Int) { items(count: $c) { times(by: $b) } }", { c: 3, b: 7 }],
  ["conditions", "subscription ($s: Boolean!) { items(count: 2) { number odd @skip(if: $s) } }", { s: true }],
  ["types that are told later", "subscription { any(count: 3) { ... on Item { number odd } } }"],
  ["a field that refuses", "subscription { items(count: 3, refuse: true) { number } }"],
  ["an iterable that is no iterator", "subscription { iterable { number } }"],
  ["items that are promised", "subscription { later { number } }"],
  ["a root value that has the items", "subscription { ofRoot { number } }"],
  ["a field that gives no items", "subscription { nothing { number } }"],
  ["a field that gives an error", "subscription { returned { number } }"],
  ["a source that breaks", "subscription { breaks { number } }"],
  ["the info of the field", "subscription ($v: Int = 3) { i: informed @include(if: true) }"],
  ["arguments that do not fit", "subscription ($c: Int = 2) { items(count: $c) { number } }", { c: null }],
  [
    "a field that is not selected",
    "subscription ($no: Boolean!) { items(count: 1) @skip(if: $no) { number } later { number } }",
    { no: true },
  ],
  ["variables that do not fit", "subscription ($c: Int!) { items(count: $c) { number } }", { c: "many" }],
];

describe("items of subscriptions", () => {
  it.each(DOCUMENTS)("are those of the library: %s", async (_name, text, variableValues = {}) => {
    const rootValue = { ofRoot: () => items(2) };
    const document = { schema, document: parse(text), variableValues, contextValue, rootValue };
    const expected = await collect(subscribe(document));
    expect(await collect(openItems(document, () => subscribe(document)))).toEqual(expected);
    // From the compiled document.
    expect(await collect(openItems(document, () => subscribe(document)))).toEqual(expected);
  });

  it("are executed from the compiled document, and not by graphql-js", async () => {
    const given = { schema, document: parse("subscription { items(count: 1) { number } }"), contextValue };
    const asked = openItems(given, () => {
      throw new Error("The library was asked.");
    });
    expect(await collect(asked)).toEqual([{ data: { items: { number: 1 } } }]);
  });

  it("end when the stream is closed, also while the next one is waited for", async () => {
    const given = { schema, document: parse("subscription { never { number } }"), contextValue };
    const opened = await openItems(given, () => Promise.resolve({}));
    if (!("next" in opened)) throw new Error("It was not opened.");
    const next = opened.next();
    await opened.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
