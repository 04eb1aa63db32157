/** Values for the fields of a mocked schema: each follows from the seed of an operation and from its place. */
import {
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  responsePathAsArray,
} from "graphql";
import type { MockedCall, Mocks } from "./mocked-schema.ts";
import type { Turns } from "./turns.ts";

/** The context of an operation over a mocked schema. */
export interface MockContext {
  readonly seed: number;
  /** Of 100 values, so many are something else than a value that is there at once. */
  readonly oddities: number;
  /** Whether each promise settles in a turn of its own, so that no order depends on how promises are chained. */
  readonly isPaced: boolean;
  readonly turns: Turns;
}

/** What a value follows from. */
interface Place {
  readonly seed: number;
  readonly context: MockContext;
}

/** An object of the answers. */
const placeOf = new WeakMap<object, Place & { type: string }>();

const ITEMS = 3;

/** Gives something else than the value at once. */
type Odd = (value: () => unknown, place: Place) => unknown;

const ODD_ITEMS: readonly Odd[] = [
  (value, { seed, context: { isPaced, turns } }) =>
    caught(isPaced ? turns.later(seed, value) : Promise.resolve(value())),
  (value, { seed, context: { turns } }) => caught(turns.later(seed, value)),
  (value, { seed, context: { turns } }) => caught(turns.later(seed, () => caught(turns.later(hash(seed), value)))),
  () => null,
  () => undefined,
  (_value, place) => failure("returned", place),
  (_value, place) => caught(place.context.turns.later(place.seed, () => fail("rejected later", place))),
  (_value, place) => {
    const error = failure("rejected", place);
    const { isPaced, turns } = place.context;
    return caught(isPaced ? turns.later(place.seed, () => Promise.reject(error)) : Promise.reject(error));
  },
  () => ({ unlike: "any other" }),
];
const ODD_VALUES: readonly Odd[] = [
  ...ODD_ITEMS,
  (_value, place) => fail("thrown", place),
  (_value, { seed }) => {
    throw new GraphQLError(`of GraphQL ${seed}`, { extensions: { code: "NOT_FOUND" } });
  },
  (value) => value,
];

function failure(how: string, { seed }: Place): Error {
  return new Error(`${how} ${seed}`);
}

function fail(how: string, place: Place): never {
  throw failure(how, place);
}

/** FNV-1a, with a last mix so that neighbours differ in all bits. */
function hash(...parts: (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const character of parts.join("\u0000")) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

export function mocksOf(schema: () => GraphQLSchema): Mocks<MockContext> {
  /** The value of a type as a resolver, a property or a list gives it. */
  function given(type: GraphQLOutputType, place: Place, odd: readonly Odd[] = ODD_VALUES): unknown {
    const choice = hash(place.seed, "given") % 10_000;
    const value = () => present(type, place);
    const make = choice < place.context.oddities * 100 ? odd[choice % odd.length] : undefined;
    return make === undefined ? value() : make(value, place);
  }

  function present(type: GraphQLOutputType, { seed, context }: Place): unknown {
    if (isNonNullType(type)) return present(type.ofType, { seed, context });
    if (isListType(type)) {
      const length = hash(seed, "length") % (ITEMS + 1);
      const item = type.ofType;
      return Array.from({ length }, (_, index) => given(item, { seed: hash(seed, index), context }, ODD_ITEMS));
    }
    if (isObjectType(type)) return objectOf(type, { seed, context });
    if (isInterfaceType(type) || isUnionType(type)) {
      const possible = schema().getPossibleTypes(type);
      const chosen = possible[hash(seed, "type") % possible.length];
      return chosen === undefined ? null : objectOf(chosen, { seed, context });
    }
    if (isEnumType(type)) {
      const values = type.getValues();
      return values[hash(seed, "enum") % values.length]?.value;
    }
    switch (type.name) {
      case "Int":
        return hash(seed) % 1000;
      case "Float":
        return (hash(seed) % 1000) / 8;
      case "Boolean":
        return hash(seed) % 2 === 0;
      case "DateTime":
        return new Date(hash(seed) * 1000).toISOString();
      case "JSON":
        return { of: seed, list: [1, null] };
      default:
        return `${type.name} ${seed}`;
    }
  }

  /** An object whose properties are made when they are first read, and are the same ever after. */
  function objectOf(type: GraphQLObjectType, { seed, context }: Place): object {
    const object = {};
    placeOf.set(object, { seed, context, type: type.name });
    for (const { name, type: fieldType, resolve } of Object.values(type.getFields())) {
      if (resolve) continue;
      let read: (() => unknown) | null = null;
      const make = (): (() => unknown) => {
        try {
          const value = given(fieldType, { seed: hash(seed, name), context });
          return () => value;
        } catch (error) {
          return () => {
            throw error;
          };
        }
      };
      const get = (): unknown => (read ??= make())();
      Object.defineProperty(object, name, { enumerable: true, get });
    }
    return object;
  }

  /** Fields that are read ahead are given an object with nothing but the id. */
  function seedOf({ source, args, context, field, info }: MockedCall<MockContext>): number {
    if (field.extensions["findsById"] === true) return seedOfId(args["id"]);
    const place = placeOf.get(Object(source));
    const above = isIdAlone(source) ? seedOfId(source.id) : (place?.seed ?? context.seed);
    const told = info === undefined ? [] : [responsePathAsArray(info.path), info.variableValues.coerced];
    return hash(above, field.parentType.name, field.fieldName, JSON.stringify([args, told]));
  }

  return {
    resolve: (call) => given(call.field.returnType, { seed: seedOf(call), context: call.context }),
    subscribe: (call) => {
      const { context, field } = call;
      const seed = seedOf(call);
      const items = Array.from({ length: ITEMS }, (_, index) =>
        objectOf(field.parentType, { seed: hash(seed, index), context }),
      );
      return toItems(items);
    },
    resolveType: (value) => placeOf.get(Object(value))?.type ?? "Unknown",
  };
}

function seedOfId(id: unknown): number {
  return hash("found", String(id));
}

function isIdAlone(source: unknown): source is { id: unknown } {
  return typeof source === "object" && source !== null && !placeOf.has(source) && "id" in source;
}

async function* toItems(items: readonly object[]): AsyncGenerator<object> {
  yield* items;
}

/** Nobody may ask for it, which is no failure of the asker. */
function caught<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
