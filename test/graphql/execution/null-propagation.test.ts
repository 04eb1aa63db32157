/** A field that fails is null; where it must not be null, the nearest position above it that may be null is. */
import {
  GraphQLError,
  type GraphQLFieldConfig,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import { describe, expect, test } from "vitest";
import { answer } from "./answer.ts";

interface Level {
  isNullable: boolean;
  isLate: boolean;
}

const FAILURES: readonly [string, () => unknown, string][] = [
  ["null", () => null, "Cannot return null for non-nullable field L2.leaf."],
  ["undefined", () => undefined, "Cannot return null for non-nullable field L2.leaf."],
  ["a returned error", () => new Error("returned"), "returned"],
  [
    "a thrown error",
    () => {
      throw new Error("thrown");
    },
    "thrown",
  ],
  ["a rejection", () => Promise.reject(new Error("rejected")), "rejected"],
  [
    "a thrown text",
    () => {
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- what this case is about
      throw "text";
    },
    'Unexpected error value: "text"',
  ],
];
const isNothing = (failure: string): boolean => failure === "null" || failure === "undefined";

/** A root with a chain of objects below it, and a field beside each of them. */
function chain(levels: readonly Level[], fail: () => unknown): GraphQLSchema {
  const beside = { type: GraphQLString, resolve: () => "there" };
  let inner: GraphQLObjectType | null = null;
  for (const [depth, { isNullable, isLate }] of [...levels.entries()].toReversed()) {
    const make = inner === null ? fail : () => ({});
    const type: GraphQLObjectType | typeof GraphQLString = inner ?? GraphQLString;
    const resolve = (): unknown => (isLate ? Promise.resolve().then(make) : make());
    const field: GraphQLFieldConfig<unknown, unknown> = { type: isNullable ? type : new GraphQLNonNull(type), resolve };
    inner = new GraphQLObjectType({
      name: `L${depth}`,
      fields: inner === null ? { leaf: field, beside } : { next: field, beside },
    });
  }
  return new GraphQLSchema({ query: inner });
}

/** By the rule of the specification. */
function expectedData(levels: readonly Level[]): unknown {
  const [level, ...below] = levels;
  if (level === undefined) return null;
  const inner = expectedData(below);
  if (inner === null && !level.isNullable) return null;
  return below.length === 0 ? { leaf: inner, beside: "there" } : { next: inner, beside: "there" };
}

const CHOICES = [true, false].flatMap((isNullable) => [true, false].map((isLate) => ({ isNullable, isLate })));
const CHAINS = CHOICES.flatMap((one) => CHOICES.flatMap((two) => CHOICES.map((three) => [one, two, three])));

describe.each(FAILURES)("%s", (failure, fail, message) => {
  test("is null in the nearest position that may be null, whatever is late", async () => {
    for (const levels of CHAINS) {
      const schema = chain(levels, fail);
      const { result, isDelegated } = await answer({
        schema,
        query: "{ next { next { leaf beside } beside } beside }",
      });
      const isError = !isNothing(failure) || levels.at(-1)?.isNullable === false;
      const error = { message, locations: [{ line: 1, column: 17 }], path: ["next", "next", "leaf"] };
      expect(result).toEqual({ ...(isError && { errors: [error] }), data: expectedData(levels) });
      expect(isDelegated).toBe(false);
    }
  });
});

test("the error of one field leaves those beside it alone, and each has its own", async () => {
  const fields = {
    good: { type: GraphQLString, resolve: () => "good" },
    bad: { type: GraphQLString, resolve: () => Promise.reject(new Error("bad")) },
    coded: {
      type: GraphQLString,
      resolve: () => {
        throw new GraphQLError("coded", { extensions: { code: "NOT_FOUND" } });
      },
    },
  };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) });
  const { result } = await answer({ schema, query: "{ bad x: bad good coded }" });
  expect(result).toEqual({
    errors: [
      { message: "coded", locations: [{ line: 1, column: 19 }], path: ["coded"], extensions: { code: "NOT_FOUND" } },
      { message: "bad", locations: [{ line: 1, column: 3 }], path: ["bad"] },
      { message: "bad", locations: [{ line: 1, column: 7 }], path: ["x"] },
    ],
    data: { bad: null, x: null, good: "good", coded: null },
  });
});

test("an error has the places of all fields that were merged into the one that failed", async () => {
  const inner = new GraphQLObjectType({ name: "Inner", fields: { text: { type: new GraphQLNonNull(GraphQLString) } } });
  const fields = { inner: { type: inner, resolve: () => ({}) } };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) });
  const { result } = await answer({ schema, query: "{\n  inner { text }\n  inner { text }\n}" });
  expect(result).toEqual({
    errors: [
      {
        message: "Cannot return null for non-nullable field Inner.text.",
        locations: [
          { line: 2, column: 11 },
          { line: 3, column: 11 },
        ],
        path: ["inner", "text"],
      },
    ],
    data: { inner: null },
  });
});

test("what fails later below a value that is null already is not reported", async () => {
  const late = () => new Promise((_resolve, reject) => setImmediate(() => reject(new Error("late"))));
  const inner = new GraphQLObjectType({
    name: "Inner",
    fields: {
      late: { type: GraphQLString, resolve: late },
      must: { type: new GraphQLNonNull(GraphQLString), resolve: () => Promise.reject(new Error("first")) },
    },
  });
  const slow = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve, "slow")));
  const fields = { inner: { type: inner, resolve: () => ({}) }, slow: { type: GraphQLString, resolve: slow } };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) });
  const { result } = await answer({ schema, query: "{ inner { late must } slow }" });
  expect(result).toMatchObject({ errors: [{ message: "first" }], data: { inner: null, slow: "slow" } });
  expect(result).toHaveProperty("errors.length", 1);
});
