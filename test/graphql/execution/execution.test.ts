/** Queries are executed as the library executes them: compared with it on a small schema where anything may go wrong. */
import fc from "fast-check";
import {
  type ExecutionResult,
  GraphQLBoolean,
  GraphQLError,
  type GraphQLFieldConfigMap,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  parse,
  validate,
} from "graphql";
import { createYoga } from "graphql-yoga";
import { describe, expect, inject, it } from "vitest";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import { comparable } from "./comparable.ts";

/** What the resolver of a field does; by the number that stands in the source object. */
type Behaviour = (value: unknown) => unknown;
const BEHAVIOURS: readonly Behaviour[] = [
  (value) => value,
  (value) => Promise.resolve(value),
  (value) => new Promise((resolve) => setImmediate(resolve, value)),
  () => null,
  () => undefined,
  () => Promise.resolve(null),
  () => {
    throw new Error("thrown");
  },
  () => Promise.reject(new Error("rejected")),
  () => new Error("returned"),
  () => {
    throw new GraphQLError("of GraphQL", { extensions: { code: "NOT_FOUND" } });
  },
];

interface Source {
  kind: "A" | "B";
  /** Which behaviour each field has, in turn; grows stale deliberately: the same for both executors. */
  seeds: readonly number[];
  depth: number;
}

const behave = (source: Source, index: number, value: unknown): unknown => {
  const seed = source.seeds[(index + source.depth * 3) % source.seeds.length] ?? 0;
  return BEHAVIOURS[seed % BEHAVIOURS.length]?.(value);
};

const child = (source: Source, kind: Source["kind"]): Source => ({ ...source, kind, depth: source.depth + 1 });

const Thing: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: "Thing",
  fields: () => fieldsOf(),
  resolveType: ({ kind }: Source) => kind,
});

function fieldsOf(): GraphQLFieldConfigMap<Source, unknown> {
  const of = (index: number, type: GraphQLOutputType, value: (source: Source) => unknown) => ({
    type,
    resolve: (source: Source) => behave(source, index, value(source)),
  });
  const list = (source: Source) => [child(source, "A"), null, Promise.resolve(child(source, "B"))];
  return {
    text: of(0, GraphQLString, () => "text"),
    must: of(1, new GraphQLNonNull(GraphQLString), () => "must"),
    wrong: of(2, GraphQLInt, () => "no number"),
    numbers: of(3, new GraphQLList(new GraphQLNonNull(GraphQLInt)), () => [1, Promise.resolve(2), 3]),
    thing: of(4, Thing, (source) => child(source, "A")),
    other: of(5, new GraphQLNonNull(Thing), (source) => child(source, "B")),
    list: of(6, new GraphQLList(Thing), list),
    full: of(7, new GraphQLList(new GraphQLNonNull(Thing)), (source) => [child(source, "A"), child(source, "B")]),
    strict: of(8, new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Thing))), (source) => list(source)),
    own: of(9, A, (source) => child(source, "A")),
    add: {
      type: GraphQLInt,
      args: {
        a: { type: new GraphQLNonNull(GraphQLInt) },
        b: { type: GraphQLInt, default: { value: 10 } },
        c: { type: GraphQLBoolean },
      },
      resolve: (_source: Source, { a, b, c }: { a: number; b?: number | null; c?: boolean | null }) =>
        a + (b ?? 1000) + (c === undefined ? 0 : 5),
    },
  };
}

const A: GraphQLObjectType = new GraphQLObjectType({ name: "A", interfaces: [Thing], fields: () => fieldsOf() });
const B: GraphQLObjectType = new GraphQLObjectType({
  name: "B",
  interfaces: [Thing],
  fields: () => ({ ...fieldsOf(), onlyB: { type: GraphQLString, resolve: () => "b" } }),
});

const behaving = (kind: Source["kind"], { seeds }: { seeds: readonly number[] }): Source => ({ kind, seeds, depth: 0 });

const schema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, { seeds: readonly number[] }>({
    name: "Query",
    fields: {
      thing: { type: Thing, resolve: (_root, _args, context) => behaving("A", context) },
      must: { type: new GraphQLNonNull(Thing), resolve: (_root, _args, context) => behaving("A", context) },
      later: { type: Thing, resolve: (_root, _args, context) => Promise.resolve(behaving("B", context)) },
    },
  }),
  types: [A, B],
});

const { execute } = createYoga({ schema, maskedErrors: false, logging: false }).getEnveloped({});

interface Asked {
  query: string;
  variables?: Record<string, unknown>;
  seeds?: readonly number[];
}

/** Deeper than any query of these tests: each level waits for one turn of the event loop at most. */
const TURNS = 20;

/**
 * By the library. Where an item of a list fails that must not be null, it leaves those before it to themselves, and
 * when these fail too, nobody has caught them: until they have, Node does not tell the test runner.
 */
async function byLibrary(asked: Parameters<typeof execute>[0]): Promise<ExecutionResult> {
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => undefined);
  try {
    const result: ExecutionResult = await execute(asked);
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return result;
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  }
}

/** By the library that Yoga executes with, and by this executor; null: delegated to graphql-js. */
async function both({ query, variables: variableValues = {}, seeds = [0] }: Asked): Promise<{
  expected: ExecutionResult;
  found: ExecutionResult | null;
}> {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
  const contextValue = { seeds } as unknown as GraphqlContext;
  const asked = { schema, document, variableValues, contextValue };
  const expected = await byLibrary(asked);
  const executeQuery = createQueryExecutor(createOperationCompiler());
  let found: ExecutionResult | null = null;
  // The second time from the compiled document.
  for (let time = 0; time < 2; time += 1) found = await executeQuery(asked, () => null);
  return { expected, found };
}

async function expectSame(asked: Asked): Promise<void> {
  const { expected, found } = await both(asked);
  expect(found, asked.query).not.toBeNull();
  if (found !== null) expect(comparable(found), asked.query).toEqual(comparable(expected));
}

const LEAVES = ["text", "must", "wrong", "numbers", "__typename", "add(a: 1)", "x: add(a: 2, b: null, c: true)"];
const OBJECTS = ["thing", "other", "list", "full", "strict", "own", "y: thing"];

/** Selections of an interface or one of its types, with fragments and conditions. */
const selections = fc.letrec<{ set: string; one: string }>((tie) => ({
  set: fc
    .array(tie("one"), { minLength: 1, maxLength: 4, depthIdentifier: "set" })
    .map((ones) => `{ ${ones.join(" ")} }`),
  one: fc.oneof(
    { depthIdentifier: "set", depthSize: "small", maxDepth: 4 },
    fc.constantFrom(...LEAVES),
    fc.tuple(fc.constantFrom(...OBJECTS), tie("set")).map(([name, set]) => `${name} ${set}`),
    tie("set").map((set) => `... on A ${set}`),
    tie("set").map((set) => `... ${set}`),
    tie("set").map((set) => `... on B @include(if: $yes) ${set}`),
    fc.constantFrom(...LEAVES).map((name) => `${name} @skip(if: $no)`),
    fc.constant("...Named"),
  ),
})).set;

const NAMED = "fragment Named on Thing { text thing { must __typename } ... on B { onlyB } }";

describe("queries of compiled documents", () => {
  it("have the answers that the library has, whatever resolvers do", async () => {
    const seeds = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 9 })), {
      minLength: 1,
      maxLength: 11,
    });
    const roots = fc.constantFrom("thing", "must", "later");
    const flags = fc.tuple(fc.boolean(), fc.boolean());
    const property = fc.asyncProperty(seeds, roots, selections, flags, async (given, root, set, [yes, no]) => {
      const again = "again: thing { ...Named a: text @include(if: $yes) b: text @skip(if: $no) }";
      const query = `query ($yes: Boolean!, $no: Boolean = false) { ${root} ${set} ${again} } ${NAMED}`;
      // No object is both A and B.
      fc.pre(validate(schema, parse(query)).length === 0);
      await expectSame({ query, variables: { yes, no }, seeds: given });
    });
    await fc.assert(property, { numRuns: inject("soaks") ? 5000 : 40 });
  }, 600_000);

  it("leave no failure uncaught where several items of a list fail that must not be null", async () => {
    const uncaught: unknown[] = [];
    const hear = (reason: unknown) => uncaught.push(reason);
    process.on("unhandledRejection", hear);
    // The list `strict` has items, the `strict` of its first one is null, and that only later.
    const seeds = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5];
    const { expected, found } = await both({ query: "{ must { strict { strict { text } } } }", seeds });
    expect(expected.data).toBeNull();
    expect(found?.data).toBeNull();
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", hear);
    expect(uncaught).toEqual([]);
  });

  it.each([
    ["variables in arguments", "query ($a: Int!, $b: Int) { thing { add(a: $a, b: $b) } }", { a: 1, b: 2 }],
    ["a variable that is not given", "query ($a: Int!, $b: Int) { thing { add(a: $a, b: $b) } }", { a: 1 }],
    ["a variable that is null", "query ($a: Int!, $b: Int) { thing { add(a: $a, b: $b) } }", { a: 1, b: null }],
    ["defaults of variables", "query ($a: Int! = 3, $b: Int = 4) { thing { add(a: $a, b: $b) } }", {}],
    ["arguments of each item", "query ($a: Int!) { thing { full { add(a: $a) } list { add(a: $a) } } }", { a: 1 }],
    [
      "a field that is merged in one of its places",
      "{ thing { ...F } must { ...F thing { must } } } fragment F on Thing { thing { text } }",
      {},
    ],
    ["merged fields", "{ thing { thing { text } ...F thing { must } } } fragment F on Thing { thing { wrong } }", {}],
  ])("with %s", async (_what, query, variables) => {
    await expectSame({ query, variables });
  });

  it("are kept apart by their operation and by what decides about selections", async () => {
    const executeQuery = createQueryExecutor(createOperationCompiler());
    const document = parse(
      "query A($on: Boolean!) { thing { a: text @include(if: $on) b: text } } query B { must { c: text } }",
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
    const contextValue = { seeds: [0] } as unknown as GraphqlContext;
    const run = (operationName: string, variableValues: Record<string, unknown>) =>
      executeQuery({ schema, document, operationName, variableValues, contextValue }, () => null);
    const full = { data: { thing: { a: "text", b: "text" } } };
    expect(await run("A", { on: true })).toEqual(full);
    expect(await run("A", { on: false })).toEqual({ data: { thing: { b: "text" } } });
    expect(await run("B", {})).toEqual({ data: { must: { c: "text" } } });
    expect(await run("A", { on: true })).toEqual(full);
    expect(await run("C", {})).toBeNull();
  });

  it.each([
    ["a variable that does not fit", "query ($a: Int!) { thing { add(a: $a) } }", { a: "one" }],
    ["a variable that is missing", "query ($a: Int!) { thing { add(a: $a) } }", {}],
    ["null for an argument that has a default", "query ($a: Int = 1) { thing { add(a: $a) } }", { a: null }],
    [
      "a condition at the root that is null",
      "query ($s: Boolean = true) { thing @skip(if: $s) { text } }",
      { s: null },
    ],
    [
      "a condition further below that is null",
      "query ($s: Boolean = true) { thing { list { text @include(if: $s) } } }",
      { s: null },
    ],
    ["a key that no object can simply be given", "{ thing { __proto__: text } }", {}],
  ])("are left to the library with %s", async (_what, query, variables) => {
    const { found } = await both({ query, variables });
    expect(found).toBeNull();
  });

  it("are made for a few choices of a document, and as many types as its length allows", async () => {
    const executeQuery = createQueryExecutor(createOperationCompiler());
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
    const contextValue = { seeds: [0] } as unknown as GraphqlContext;
    const names = Array.from({ length: 4 }, (_, index) => `v${index}`);
    const chosen = parse(`query (${names.map((name) => `$${name}: Boolean!`).join(" ")}) { thing { must
      ${names.map((name) => `${name}: text @skip(if: $${name})`).join(" ")} } }`);
    let compiled = 0;
    for (let choice = 0; choice < 16; choice += 1) {
      const variableValues = Object.fromEntries(names.map((name, bit) => [name, (choice >> bit) % 2 === 1]));
      const answer = await executeQuery({ schema, document: chosen, variableValues, contextValue }, () => null);
      if (answer !== null) compiled += 1;
    }
    expect(compiled).toBe(8);

    const wide = Array.from({ length: 400 }, (_, index) => `a${index}: text`).join(" ");
    const long = parse(`{ thing { list { ...Wide } full { ...Wide } } } fragment Wide on Thing { ${wide} }`, {
      noLocation: true,
    });
    const answers = [];
    for (let time = 0; time < 3; time += 1) {
      answers.push(await executeQuery({ schema, document: long, contextValue }, () => null));
    }
    expect(answers.map((answer) => answer !== null)).toEqual([true, false, false]);
  });
});
