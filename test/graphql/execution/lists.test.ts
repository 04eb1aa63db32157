/** Lists of any kind are completed item by item, and a null in them goes up to where it may be. */
import {
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
} from "graphql";
import { describe, expect, test } from "vitest";
import { answer } from "./answer.ts";

const Int = GraphQLInt;
const Must = new GraphQLNonNull(Int);
const TYPES: readonly [string, GraphQLOutputType][] = [
  ["[Int]", new GraphQLList(Int)],
  ["[Int]!", new GraphQLNonNull(new GraphQLList(Int))],
  ["[Int!]", new GraphQLList(Must)],
  ["[Int!]!", new GraphQLNonNull(new GraphQLList(Must))],
];

const failing = (): Promise<never> => Promise.reject(new Error("failed"));
/** Values of a list, and the place of what must not be null in them; undefined: nowhere. */
const VALUES: readonly [string, () => unknown, (number | null)[] | null, number?][] = [
  ["numbers", () => [1, 2], [1, 2]],
  ["nothing", () => [], []],
  ["null", () => null, null],
  ["a null among numbers", () => [1, null, 2], [1, null, 2], 1],
  ["undefined among numbers", () => [1, undefined], [1, null], 1],
  ["promises among numbers", () => [Promise.resolve(1), 2], [1, 2]],
  ["a promise of null", () => [1, Promise.resolve(null)], [1, null], 1],
  ["a rejection", () => [failing(), 2], [null, 2], 0],
  ["an error", () => [1, new Error("failed")], [1, null], 1],
  ["something that is no number", () => [1, "two"], [1, null], 1],
];

/** What the specification makes of it. */
function expected(type: string, list: (number | null)[] | null, lost: number | undefined): unknown {
  const isLost = type.startsWith("[Int!]") && lost !== undefined;
  const found = isLost ? null : list;
  return found === null && type.endsWith("]!") ? null : { list: found };
}

function schemaOf(type: GraphQLOutputType, value: () => unknown): GraphQLSchema {
  const fields = { list: { type, resolve: value } };
  const box = new GraphQLObjectType({ name: "Box", fields });
  const root = { box: { type: box, resolve: () => ({}) } };
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: root }) });
}

describe.each(TYPES)("%s", (name, type) => {
  test.each(VALUES)("of %s", async (_what, value, list, lost) => {
    for (const make of [value, () => Promise.resolve(value())]) {
      const { result, isDelegated } = await answer({ schema: schemaOf(type, make), query: "{ box { list } }" });
      expect(result).toHaveProperty("data", { box: expected(name, list, lost) });
      expect(isDelegated).toBe(false);
    }
  });

  test.each([
    ["a set", () => new Set([1, 2])],
    [
      "a generator",
      function* numbers() {
        yield 1;
        yield 2;
      },
    ],
    [
      "an async generator",
      async function* numbers() {
        yield 1;
        yield 2;
      },
    ],
  ])("of %s is delegated", async (_what, value) => {
    const { result, isDelegated } = await answer({ schema: schemaOf(type, value), query: "{ box { list } }" });
    expect(result).toEqual({ data: { box: { list: [1, 2] } } });
    expect(isDelegated).toBe(true);
  });

  test.each([
    ["a text", () => "list", "Expected Iterable"],
    ["an object", () => ({ length: 1 }), "Expected Iterable"],
    ["an error", () => new Error("whole"), "whole"],
  ])("of %s is an error of the field", async (_what, value, message) => {
    const { result } = await answer({ schema: schemaOf(type, value), query: "{ box { list } }" });
    const data = { box: name.endsWith("]!") ? null : { list: null } };
    expect(result).toMatchObject({
      errors: [{ message: expect.stringContaining(message), path: ["box", "list"] }],
      data,
    });
  });
});

test("lists of lists of objects have paths with all their numbers", async () => {
  const cell: GraphQLObjectType = new GraphQLObjectType({
    name: "Cell",
    fields: { n: { type: Must, resolve: ({ n }: { n: number | null }) => n } },
  });
  const rows = [[{ n: 1 }, Promise.resolve({ n: null })], Promise.resolve([{ n: 3 }]), null];
  const schema = schemaOf(new GraphQLList(new GraphQLList(cell)), () => rows);
  const { result } = await answer({ schema, query: "{ box { list { n } } }" });
  expect(result).toEqual({
    errors: [
      {
        message: "Cannot return null for non-nullable field Cell.n.",
        locations: [{ line: 1, column: 16 }],
        path: ["box", "list", 0, 1, "n"],
      },
    ],
    data: { box: { list: [[{ n: 1 }, null], [{ n: 3 }], null] } },
  });
});

test("no rejection is left unhandled by items that are not reached", async () => {
  const unhandled: unknown[] = [];
  const hear = (reason: unknown): unknown => unhandled.push(reason);
  process.on("unhandledRejection", hear);
  try {
    const schema = schemaOf(new GraphQLList(Must), () => [failing(), null, failing()]);
    const { result } = await answer({ schema, query: "{ box { list } }" });
    expect(result).toMatchObject({ data: { box: { list: null } } });
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", hear);
  }
  expect(unhandled).toEqual([]);
});
