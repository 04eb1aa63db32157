/** What resolvers are given, what their values become, and which operation of a document is executed. */
import {
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import { describe, expect, test } from "vitest";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import { parse } from "graphql";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { answer } from "./answer.ts";

const later = <Value>(value: Value): Promise<Value> => new Promise((resolve) => setImmediate(resolve, value));

class Instance {
  readonly own = "own";
  get getter(): string {
    return `${this.own} getter`;
  }
  method({ times }: { times: number }, context: unknown): string {
    return `${this.own} ${String(times)} ${String(context)}`;
  }
  asynchronous(): Promise<string> {
    return Promise.resolve(`${this.own} later`);
  }
  throwing(): never {
    throw new Error(`${this.own} failure`);
  }
}

const Odd = new GraphQLScalarType({
  name: "Odd",
  coerceOutputValue: (value) => {
    if (value === "nothing") return undefined;
    if (value === "throw") throw new Error("no such value");
    return value;
  },
});
const Thing: GraphQLObjectType = new GraphQLObjectType({
  name: "Thing",
  fields: () => ({
    own: { type: GraphQLString },
    getter: { type: GraphQLString },
    method: { type: GraphQLString, args: { times: { type: GraphQLInt } } },
    asynchronous: { type: GraphQLString },
    throwing: { type: GraphQLString },
    absent: { type: GraphQLString },
    late: { type: GraphQLString, resolve: () => later("late") },
    thing: { type: Thing, resolve: (source) => source },
    things: { type: new GraphQLList(Thing), resolve: () => [later(new Instance()), new Instance()] },
  }),
});
const odd = (value: unknown) => ({ type: Odd, resolve: () => value });
const query = new GraphQLObjectType({
  name: "Query",
  fields: {
    thing: { type: Thing, resolve: () => new Instance() },
    text: { type: Thing, resolve: () => "no object" },
    callable: { type: Thing, resolve: () => Object.assign(() => "called", { own: "of a function" }) },
    given: {
      type: GraphQLString,
      args: { a: { type: GraphQLInt } },
      resolve: (source, args, context) => JSON.stringify([source, args, context]),
    },
    fromRoot: { type: GraphQLString },
    nothing: odd("nothing"),
    throwing: odd("throw"),
    object: odd({ deep: [1, null, { x: "y" }] }),
    must: { type: new GraphQLNonNull(Odd), resolve: () => "nothing" },
  },
});
const schema = new GraphQLSchema({ query });

describe("values", () => {
  test("are properties, getters and methods of the source, with arguments and context", async () => {
    const text = "{ thing { own getter method(times: 2) asynchronous throwing absent thing { own } } }";
    const { result, isDelegated } = await answer({ schema, query: text, contextValue: "context" });
    expect(isDelegated).toBe(false);
    expect(result).toEqual({
      errors: [{ message: "own failure", locations: [{ line: 1, column: 52 }], path: ["thing", "throwing"] }],
      data: {
        thing: {
          own: "own",
          getter: "own getter",
          method: "own 2 context",
          asynchronous: "own later",
          throwing: null,
          absent: null,
          thing: { own: "own" },
        },
      },
    });
  });

  test("of sources that are no objects are null, and functions have properties", async () => {
    const { result } = await answer({ schema, query: "{ text { own } callable { own } }" });
    expect(result).toEqual({ data: { text: { own: null }, callable: { own: "of a function" } } });
  });

  test("of scalars are what the scalar makes of them, or its error", async () => {
    expect((await answer({ schema, query: "{ object }" })).result).toEqual({
      data: { object: { deep: [1, null, { x: "y" }] } },
    });
    const { result, isDelegated } = await answer({ schema, query: "{ throwing nothing must }" });
    // A scalar that gives nothing is left to graphql-js.
    expect(isDelegated).toBe(true);
    expect(result).toMatchObject({
      errors: [{ message: "no such value", path: ["throwing"] }, { path: ["nothing"] }, { path: ["must"] }],
      data: null,
    });
  });

  test("come in the order of the selection, in whichever order they are there", async () => {
    const text = "{ thing { late own things { late own } x: late asynchronous } given }";
    const { result } = await answer({ schema, query: text });
    const item = { late: "late", own: "own" };
    const thing = { late: "late", own: "own", things: [item, item], x: "late", asynchronous: "own later" };
    expect(JSON.stringify(result)).toBe(JSON.stringify({ data: { thing, given: "[null,{},null]" } }));
  });
});

describe("resolvers", () => {
  test("are given the root value, the arguments and the context", async () => {
    const { result } = await answer({
      schema,
      query: "query ($a: Int) { given(a: 1) other: given(a: $a) fromRoot }",
      variableValues: { a: 2 },
      rootValue: { fromRoot: "of the root" },
      contextValue: { of: "context" },
    });
    const given = (a: number) => JSON.stringify([{ fromRoot: "of the root" }, { a }, { of: "context" }]);
    expect(result).toEqual({ data: { given: given(1), other: given(2), fromRoot: "of the root" } });
  });

  test("of a customized execution are those of graphql-js", async () => {
    const { result, isDelegated } = await answer({
      schema,
      query: "{ fromRoot thing { own } }",
      fieldResolver: (_source, _args, _context, info) => `custom ${info.fieldName}`,
    });
    expect(isDelegated).toBe(true);
    expect(result).toEqual({ data: { fromRoot: "custom fromRoot", thing: { own: "custom own" } } });
  });

  test("that are all synchronous give a result that is there at once", () => {
    const execute = createQueryExecutor(createOperationCompiler());
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no resolver asks for it
    const contextValue = null as unknown as GraphqlContext;
    const args = { schema, document: parse("{ object thing { own } }"), contextValue };
    expect(execute(args, () => null)).toEqual({
      data: { object: { deep: [1, null, { x: "y" }] }, thing: { own: "own" } },
    });
    expect(execute({ ...args, document: parse("{ thing { late } }") }, () => null)).toBeInstanceOf(Promise);
  });
});

describe("the operation", () => {
  const text = "query A { a: fromRoot } query B { b: fromRoot } fragment F on Query { fromRoot }";
  test.each<[string, string | undefined, object]>([
    ["chosen by its name", "B", { data: { b: null } }],
    [
      "that is not chosen",
      undefined,
      { errors: [{ message: expect.stringContaining("Must provide operation name") }] },
    ],
    ["of an unknown name", "C", { errors: [{ message: 'Unknown operation named "C".' }] }],
    ["of an empty name", "", { errors: [{ message: 'Unknown operation named "".' }] }],
  ])("%s", async (_what, operationName, expected) => {
    const { result } = await answer({ schema, query: text, operationName });
    expect(result).toEqual(expected);
  });

  test("is executed if it is the only one, with a name or without", async () => {
    for (const only of ["{ fromRoot }", "query { fromRoot }", "query Q { fromRoot }"]) {
      expect(await answer({ schema, query: only })).toEqual({
        result: { data: { fromRoot: null } },
        isDelegated: false,
      });
    }
    const { result } = await answer({ schema, query: "fragment F on Query { fromRoot }" });
    expect(result).toEqual({ errors: [{ message: "Must provide an operation." }] });
  });

  test("of a kind that the schema does not have is an error", async () => {
    const { result, isDelegated } = await answer({ schema, query: "mutation { fromRoot }" });
    expect(isDelegated).toBe(true);
    expect(result).toMatchObject({ errors: [{ message: expect.stringContaining("not configured") }] });
  });

  test("has no key for a field that is not in the schema, and an empty object where nothing is selected", async () => {
    // Validation refuses both.
    const { result } = await answer({ schema, query: "{ unknown fromRoot thing }" });
    expect(result).toEqual({ data: { fromRoot: null, thing: {} } });
  });
});
