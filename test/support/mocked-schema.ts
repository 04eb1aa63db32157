import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLUnionType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isOutputType,
  isUnionType,
} from "graphql";

/** Answers of the resolvers of a mocked schema. */
export interface Mocks<Context> {
  resolve: (asked: MockedCall<Context>) => unknown;
  subscribe: (asked: MockedCall<Context>) => unknown;
  resolveType: (value: unknown) => string;
}

export interface MockedCall<Context> {
  source: unknown;
  args: Record<string, unknown>;
  context: Context;
  /** Of the mocked schema. */
  field: Pick<GraphQLResolveInfo, "fieldName" | "parentType" | "returnType"> & {
    extensions: Readonly<Record<string | symbol, unknown>>;
  };
  /** `undefined` for fields whose resolver does not declare it. */
  info?: GraphQLResolveInfo;
}

/**
 * Copies a schema, with mocks for its resolvers. A field that is a property stays one, and the number of parameters,
 * the arguments and the extensions are those of the original: an executor treats the copy as it treats the original.
 */
export function mockSchema<Context>(schema: GraphQLSchema, mocks: Mocks<Context>): GraphQLSchema {
  const copies = new Map<string, GraphQLNamedType>();

  function copyOf(type: GraphQLNamedType): GraphQLNamedType {
    const known = copies.get(type.name);
    if (known !== undefined) return known;
    const copy = copied(type);
    copies.set(type.name, copy);
    return copy;
  }

  function copied(type: GraphQLNamedType): GraphQLNamedType {
    const { name } = type;
    if (isObjectType(type)) {
      const interfaces = () => type.getInterfaces().map((one) => found(one, isInterfaceType));
      return new GraphQLObjectType<unknown, Context>({ name, interfaces, fields: () => fieldsOf(type) });
    }
    const { resolveType } = mocks;
    if (isInterfaceType(type)) {
      const interfaces = () => type.getInterfaces().map((one) => found(one, isInterfaceType));
      return new GraphQLInterfaceType({ name, interfaces, fields: () => fieldsOf(type), resolveType });
    }
    if (!isUnionType(type)) return type;
    return new GraphQLUnionType({
      name,
      types: () => type.getTypes().map((one) => found(one, isObjectType)),
      resolveType,
    });
  }

  function found<Type extends GraphQLNamedType>(type: GraphQLNamedType, is: (type: unknown) => type is Type): Type {
    const copy = copyOf(type);
    if (is(copy)) return copy;
    throw new Error(`${type.name} was copied as something else.`);
  }

  function outputOf(type: GraphQLOutputType): GraphQLOutputType {
    if (isNonNullType(type)) {
      const inner = outputOf(type.ofType);
      return isNonNullType(inner) ? inner : new GraphQLNonNull(inner);
    }
    if (isListType(type)) return new GraphQLList(outputOf(type.ofType));
    const copy = copyOf(type);
    if (isOutputType(copy)) return copy;
    throw new Error(`${type.name} was copied as an input.`);
  }

  function fieldsOf(
    type: GraphQLObjectType | GraphQLInterfaceType,
  ): Record<string, GraphQLFieldConfig<unknown, Context>> {
    const fields = Object.values(type.getFields());
    return Object.fromEntries(fields.map((field) => [field.name, fieldOf(type, field)]));
  }

  function fieldOf(
    type: GraphQLObjectType | GraphQLInterfaceType,
    { name, type: returnType, args, extensions, resolve, subscribe }: GraphQLField<unknown, unknown>,
  ): GraphQLFieldConfig<unknown, Context> {
    const shape = { type: outputOf(returnType), args: argumentsOf(args), extensions };
    if (!isObjectType(type)) return shape;
    const readsMany = typeof extensions["readMany"] === "function";
    const field = { fieldName: name, parentType: found(type, isObjectType), returnType: shape.type, extensions };
    return {
      ...shape,
      ...(readsMany && { extensions: { ...extensions, readMany: readerOf(field) } }),
      ...(subscribe && {
        subscribe: (source, given, context) => mocks.subscribe({ source, args: given, context, field }),
      }),
      ...(resolve && { resolve: resolverOf(resolve.length, field) }),
    };
  }

  /** What is read for many objects is, for each of them, what its resolver gives. */
  function readerOf(field: MockedCall<Context>["field"]) {
    return (sources: readonly unknown[], context: Context): Promise<unknown[]> =>
      Promise.all(
        sources.map(async (source) => {
          try {
            return await mocks.resolve({ source, args: {}, context, field });
          } catch (error) {
            return error;
          }
        }),
      );
  }

  function resolverOf(
    parameters: number,
    field: MockedCall<Context>["field"],
  ): NonNullable<GraphQLFieldConfig<unknown, Context>["resolve"]> {
    if (parameters < 4) return (source, args, context) => mocks.resolve({ source, args, context, field });
    return (source, args, context, info) => mocks.resolve({ source, args, context, field, info });
  }

  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  const root = (type: GraphQLObjectType | null | undefined) => type && found(type, isObjectType);
  return new GraphQLSchema({
    query: root(schema.getQueryType()),
    mutation: root(schema.getMutationType()),
    subscription: root(schema.getSubscriptionType()),
    types: types.map(copyOf),
    directives: schema.getDirectives(),
  });
}

function argumentsOf(args: readonly GraphQLArgument[]): GraphQLFieldConfig<unknown, unknown>["args"] {
  return Object.fromEntries(args.map((argument) => [argument.name, argument.toConfig()]));
}
