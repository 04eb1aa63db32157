/** Arguments from literals, variables and defaults are those that graphql-js gives to resolvers. */
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import { describe, expect, test } from "vitest";
import { answer } from "./answer.ts";

const Day = new GraphQLScalarType<{ day: string } | null, unknown>({
  name: "Day",
  coerceInputValue: (value) => ({ day: String(value) }),
  coerceInputLiteral: (node) => ({ day: "value" in node ? String(node.value) : "" }),
});
const Color = new GraphQLEnumType({
  name: "Color",
  values: { RED: { value: 0 }, NONE: { value: null }, DEEP: { value: { deep: true } }, PLAIN: {} },
});
const Input: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: "Input",
  fields: () => ({
    a: { type: GraphQLString },
    b: { type: new GraphQLList(GraphQLString) },
    c: { type: new GraphQLNonNull(GraphQLString) },
    d: { type: Day },
    e: { type: GraphQLInt, default: { value: 5 } },
    inner: { type: Input },
  }),
});
const OneOf = new GraphQLInputObjectType({
  name: "OneOf",
  isOneOf: true,
  fields: { id: { type: GraphQLID }, name: { type: GraphQLString } },
});

const shown = (type: GraphQLInputType, defaultValue?: unknown) => ({
  type: GraphQLString,
  args: { x: defaultValue === undefined ? { type } : { type, default: { value: defaultValue } } },
  resolve: (_source: unknown, args: Record<string, unknown>) =>
    "x" in args ? (JSON.stringify(args["x"]) ?? "undefined") : "absent",
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: "Query",
    fields: {
      int: shown(GraphQLInt),
      float: shown(GraphQLFloat),
      text: shown(GraphQLString),
      id: shown(GraphQLID),
      yes: shown(GraphQLBoolean),
      must: shown(new GraphQLNonNull(GraphQLString)),
      fallback: shown(GraphQLString, "default"),
      mustFallback: shown(new GraphQLNonNull(GraphQLString), "default"),
      color: shown(Color),
      day: shown(Day),
      input: shown(Input),
      oneOf: shown(OneOf),
      list: shown(new GraphQLList(GraphQLInt)),
      mustList: shown(new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt)))),
      matrix: shown(new GraphQLList(new GraphQLList(GraphQLInt))),
    },
  }),
});

type Case = [query: string, variables: Record<string, unknown>, expected: unknown];

describe("literals", () => {
  test.each<Case>([
    ["{ int(x: 7) }", {}, 7],
    ["{ int(x: null) }", {}, null],
    ["{ float(x: 7) }", {}, 7],
    ["{ id(x: 7) }", {}, "7"],
    ['{ text(x: """\n  block\n""") }', {}, "block"],
    ["{ color(x: RED) }", {}, 0],
    ["{ color(x: NONE) }", {}, null],
    ["{ color(x: DEEP) }", {}, { deep: true }],
    ["{ color(x: PLAIN) }", {}, "PLAIN"],
    ['{ day(x: "today") }', {}, { day: "today" }],
    ["{ list(x: 7) }", {}, [7]],
    ["{ list(x: [7, null]) }", {}, [7, null]],
    ["{ matrix(x: 7) }", {}, [[7]]],
    ["{ matrix(x: [[1], null, [2, 3]]) }", {}, [[1], null, [2, 3]]],
    ['{ input(x: { c: "c", b: "b" }) }', {}, { b: ["b"], c: "c", e: 5 }],
    ['{ input(x: { c: "c", e: null, inner: { c: "d" } }) }', {}, { c: "c", e: null, inner: { c: "d", e: 5 } }],
    ['{ oneOf(x: { id: "1" }) }', {}, { id: "1" }],
    ["{ fallback }", {}, "default"],
    ["{ fallback(x: null) }", {}, null],
    ["{ mustFallback }", {}, "default"],
  ])("%s", async (query, variableValues, expected) => {
    const { result, isDelegated } = await answer({ schema, query, variableValues });
    expect(Object.values(Reflect.get(Object(result), "data"))).toEqual([JSON.stringify(expected)]);
    expect(isDelegated).toBe(false);
  });
});

describe("variables", () => {
  test.each<Case>([
    ["query ($v: Int) { int(x: $v) }", { v: 7 }, 7],
    ["query ($v: Int) { int(x: $v) }", { v: null }, null],
    ["query ($v: Int = 3) { int(x: $v) }", {}, 3],
    ["query ($v: Int = 3) { int(x: $v) }", { v: null }, null],
    ["query ($v: Int! = 3) { int(x: $v) }", {}, 3],
    ["query ($v: String) { fallback(x: $v) }", {}, "default"],
    ["query ($v: String) { fallback(x: $v) }", { v: null }, null],
    ["query ($v: String = null) { fallback(x: $v) }", {}, null],
    ["query ($v: String) { mustFallback(x: $v) }", {}, "default"],
    ["query ($v: [Int]) { list(x: $v) }", { v: 7 }, [7]],
    ["query ($v: [Int]) { list(x: $v) }", { v: [1, null] }, [1, null]],
    ["query ($v: Int) { list(x: [1, $v]) }", { v: 2 }, [1, 2]],
    ["query ($v: Int) { list(x: [1, $v]) }", {}, [1, null]],
    ["query ($v: [Int!]!) { mustList(x: $v) }", { v: [1, 2] }, [1, 2]],
    ["query ($v: [[Int]]) { matrix(x: $v) }", { v: [1, [2]] }, [[1], [2]]],
    ["query ($v: Color) { color(x: $v) }", { v: "DEEP" }, { deep: true }],
    ['query ($v: Day = "today") { day(x: $v) }', {}, { day: "today" }],
    ["query ($v: Day) { day(x: $v) }", { v: "now" }, { day: "now" }],
    ["query ($v: Input) { input(x: $v) }", { v: { c: "c", d: "now" } }, { c: "c", d: { day: "now" }, e: 5 }],
    ['query ($v: String) { input(x: { c: "c", a: $v }) }', { v: "a" }, { a: "a", c: "c", e: 5 }],
    ['query ($v: String) { input(x: { c: "c", a: $v }) }', {}, { c: "c", e: 5 }],
    ['query ($v: Int) { input(x: { c: "c", e: $v }) }', {}, { c: "c", e: 5 }],
    ["query ($v: OneOf) { oneOf(x: $v) }", { v: { name: "n" } }, { name: "n" }],
    ["query ($v: ID!) { oneOf(x: { id: $v }) }", { v: 7 }, { id: "7" }],
  ])("%s with %o", async (query, variableValues, expected) => {
    const { result, isDelegated } = await answer({ schema, query, variableValues });
    expect(Object.values(Reflect.get(Object(result), "data"))).toEqual([JSON.stringify(expected)]);
    expect(isDelegated).toBe(false);
  });

  test("that are absent leave their arguments absent", async () => {
    const query = "query ($a: Int, $b: String) { int(x: $a) text(x: $b) id }";
    const { result } = await answer({ schema, query, variableValues: { b: undefined, c: "unknown" } });
    expect(result).toEqual({ data: { int: "absent", text: "absent", id: "absent" } });
  });
});

describe("what does not fit is delegated", () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ["query ($v: Int!) { int(x: $v) }", {}, /Variable "\$v" has invalid value: .* to be provided/],
    ["query ($v: Int!) { int(x: $v) }", { v: null }, /not to be null/],
    ["query ($v: Int) { int(x: $v) }", { v: "7" }, /Int cannot represent/],
    ["query ($v: Input) { input(x: $v) }", { v: { a: "a" } }, /required field "c"/],
    ["query ($v: Input) { input(x: $v) }", { v: { c: "c", z: 1 } }, /unknown field "z"/],
    ["query ($v: [Int!]!) { mustList(x: $v) }", { v: [1, null] }, /at \[1\]/],
    ["query ($v: Color) { color(x: $v) }", { v: "BLUE" }, /"BLUE" does not exist/],
    ["query ($v: OneOf) { oneOf(x: $v) }", { v: { id: "1", name: "n" } }, /[Ee]xactly one/],
    ["query ($v: Unknown) { int }", {}, /Unknown/],
  ])("%s with %o: the whole operation has an error", async (query, variableValues, message) => {
    const { result, isDelegated } = await answer({ schema, query, variableValues });
    expect(isDelegated).toBe(true);
    expect(result).toEqual({ errors: [expect.objectContaining({ message: expect.stringMatching(message) })] });
  });

  test.each<[string, Record<string, unknown>]>([
    ["{ must }", {}],
    ['{ int(x: "7") }', {}],
    ["query ($v: String) { must(x: $v) }", {}],
    ['query ($v: String = "s") { must(x: $v) }', { v: null }],
    ['query ($v: String = "s") { mustFallback(x: $v) }', { v: null }],
    ["query ($v: Int) { mustList(x: [$v]) }", {}],
    ["{ oneOf(x: { id: null }) }", {}],
  ])("%s with %o: the field has an error", async (query, variableValues) => {
    const { result, isDelegated } = await answer({ schema, query, variableValues });
    expect(isDelegated).toBe(true);
    expect(Object.values(Reflect.get(Object(result), "data"))).toEqual([null]);
    expect(result).toHaveProperty("errors.length", 1);
  });

  test("and errors of many variables end at the limit of graphql-js", async () => {
    const { result } = await answer({
      schema,
      query: "query ($v: [Int!]!) { mustList(x: $v) }",
      variableValues: { v: Array.from({ length: 100 }, () => "x") },
    });
    expect(result).toHaveProperty("errors.length", 51);
  });
});
