/** The type of an object behind an interface or a union is told in every way that graphql-js knows. */
import {
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from "graphql";
import { describe, expect, test } from "vitest";
import { answer } from "./answer.ts";

type TypeResolver = (value: unknown) => unknown;

const kindOf = (value: unknown): unknown => Reflect.get(Object(value), "kind");
const DATA = [
  { kind: "Cat", __typename: "Cat", name: "Tom", lives: 9 },
  { kind: "Dog", __typename: "Dog", name: "Rex", tricks: 3 },
];

interface Ways {
  resolveType?: TypeResolver;
  isTypeOf?: (kind: string) => TypeResolver;
  data?: readonly unknown[];
}

/** `Pet` extends `Named`; cats and dogs are pets, and members of the union. */
function schemaOf({ resolveType, isTypeOf, data = DATA }: Ways): GraphQLSchema {
  const name = { name: { type: GraphQLString } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- also what no resolver may give
  const given = resolveType === undefined ? {} : { resolveType: resolveType as () => string };
  const Named = new GraphQLInterfaceType({ name: "Named", fields: name, ...given });
  const Pet = new GraphQLInterfaceType({ name: "Pet", interfaces: [Named], fields: name, ...given });
  const typeOf = (kind: string, fields: Record<string, { type: typeof GraphQLInt }>): GraphQLObjectType => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- also what no such function may give
    const is = isTypeOf === undefined ? {} : { isTypeOf: isTypeOf(kind) as () => boolean };
    return new GraphQLObjectType({ name: kind, interfaces: [Named, Pet], fields: { ...name, ...fields }, ...is });
  };
  const Cat = typeOf("Cat", { lives: { type: GraphQLInt } });
  const Dog = typeOf("Dog", { tricks: { type: GraphQLInt } });
  const Stone = new GraphQLObjectType({ name: "Stone", fields: name });
  const Any = new GraphQLUnionType({ name: "Any", types: [Cat, Dog], ...given });
  const resolve = () => data;
  const fields = {
    named: { type: new GraphQLList(Named), resolve },
    pets: { type: new GraphQLList(Pet), resolve },
    any: { type: new GraphQLList(Any), resolve },
    cats: { type: new GraphQLList(Cat), resolve },
  };
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }), types: [Cat, Dog, Stone] });
}

const later =
  (resolve: TypeResolver): TypeResolver =>
  (value) =>
    Promise.resolve().then(() => resolve(value));
const is =
  (kind: string): TypeResolver =>
  (value) =>
    kindOf(value) === kind;

const WAYS: readonly [string, Ways, boolean][] = [
  ["resolveType", { resolveType: kindOf }, false],
  ["resolveType, asynchronously", { resolveType: later(kindOf) }, true],
  ["isTypeOf", { isTypeOf: is }, false],
  ["isTypeOf, asynchronously", { isTypeOf: (kind) => later(is(kind)) }, true],
  ["isTypeOf of some asynchronously", { isTypeOf: (kind) => (kind === "Cat" ? later(is(kind)) : is(kind)) }, true],
  ["both", { resolveType: kindOf, isTypeOf: is }, false],
  ["the property __typename", {}, false],
];

const QUERY = `{
  named { __typename name ... on Cat { lives } ...Dogs }
  pets { ... on Named { name } ... on Pet { __typename } ... on Dog { tricks } }
  any { __typename ...Dogs ... on Pet { name } ... on Cat { n: name } }
}
fragment Dogs on Dog { tricks }`;

describe.each(WAYS)("a type that is told by %s", (_way, ways, expectsDelegation) => {
  test("decides which fragments apply", async () => {
    const { result, isDelegated } = await answer({ schema: schemaOf(ways), query: QUERY });
    expect(result).toEqual({
      data: {
        named: [
          { __typename: "Cat", name: "Tom", lives: 9 },
          { __typename: "Dog", name: "Rex", tricks: 3 },
        ],
        pets: [
          { name: "Tom", __typename: "Cat" },
          { name: "Rex", __typename: "Dog", tricks: 3 },
        ],
        any: [
          { __typename: "Cat", name: "Tom", n: "Tom" },
          { __typename: "Dog", tricks: 3, name: "Rex" },
        ],
      },
    });
    expect(isDelegated).toBe(expectsDelegation);
  });
});

describe("a type that is not told", () => {
  const fail = (): never => {
    throw new Error("told nothing");
  };
  test.each<[string, Ways, string]>([
    ["at all", { resolveType: () => undefined }, "must resolve to an Object type at runtime"],
    ["as a text", { resolveType: () => 7 }, "which is not a valid Object type name"],
    ["as a known one", { resolveType: () => "Bird" }, "does not exist inside the schema"],
    ["as an object type", { resolveType: () => "Pet" }, "non-object type"],
    ["as a possible one", { resolveType: () => "Stone" }, "is not a possible type"],
    ["without an error", { resolveType: fail }, "told nothing"],
    ["without a rejection", { resolveType: later(fail) }, "told nothing"],
    ["without an error of isTypeOf", { isTypeOf: () => fail }, "told nothing"],
    ["without a rejection of isTypeOf", { isTypeOf: () => later(fail) }, "told nothing"],
    ["by any isTypeOf", { isTypeOf: () => () => false, data: [{ name: "Tom" }] }, "must resolve to an Object type"],
  ])("%s is an error of each item", async (_what, ways, message) => {
    const { result } = await answer({ schema: schemaOf(ways), query: "{ pets { name } }" });
    const items = ways.data ?? DATA;
    expect(result).toMatchObject({
      errors: items.map((_item, index) => ({ message: expect.stringContaining(message), path: ["pets", index] })),
      data: { pets: items.map(() => null) },
    });
  });

  test("as what the object is makes null of it, behind an interface and behind its own type", async () => {
    const schema = schemaOf({ resolveType: () => "Cat", isTypeOf: is });
    const { result } = await answer({ schema, query: "{ pets { name } cats { name } }" });
    const wrong = { message: expect.stringContaining('Expected value of type "Cat"') };
    expect(result).toMatchObject({
      errors: [
        { ...wrong, path: ["pets", 1] },
        { ...wrong, path: ["cats", 1] },
      ],
      data: { pets: [{ name: "Tom" }, null], cats: [{ name: "Tom" }, null] },
    });
  });
});

test("the type is asked for with the value, the context, the info of the field, and the abstract type", async () => {
  const asked: unknown[][] = [];
  const schema = schemaOf({ resolveType: kindOf });
  const type = schema.getType("Pet");
  if (!(type instanceof GraphQLInterfaceType)) throw new Error("Pet is no interface.");
  type.resolveType = (value, context, info, abstract) => {
    asked.push([value, context, info.fieldName, info.path.key, abstract.name]);
    return "Cat";
  };
  const { isDelegated } = await answer({ schema, query: "{ p: pets { name } }", contextValue: "context" });
  // A function that needs the path is given it by graphql-js.
  expect(isDelegated).toBe(true);
  expect(asked.at(-1)).toEqual([DATA[1], "context", "pets", "p", "Pet"]);
});
