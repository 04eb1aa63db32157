import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLNamedType,
  type GraphQLNullableOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
} from "graphql";
import { executeFields } from "./execute-fields.ts";
import {
  type Complete,
  type Execution,
  ignoreRejections,
  isPromise,
  type ReadPlain,
  type Selection,
} from "./field-step.ts";
import { readPlain } from "./plain-value.ts";
import { recordError } from "./record-error.ts";

/** The field whose values are completed. */
interface Completing {
  schema: GraphQLSchema;
  info: GraphQLResolveInfo;
  /** The selection below it. */
  stepsOf: Selection;
}

/** Works out once how the values of a type are completed. */
export function completeAs(type: GraphQLOutputType, field: Completing): Complete {
  if (!isNonNullType(type)) {
    const complete = completePresent(type, field);
    return (execution, value, path) => {
      if (value instanceof Error) throw value;
      return value === null || value === undefined ? null : complete(execution, value, path);
    };
  }
  const complete = completePresent(type.ofType, field);
  const { parentType, fieldName } = field.info;
  return (execution, value, path) => {
    if (value instanceof Error) throw value;
    if (value !== null && value !== undefined) return complete(execution, value, path);
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${fieldName}.`);
  };
}

function completePresent(type: GraphQLNullableOutputType, field: Completing): Complete {
  if (isLeafType(type)) return completeLeaf(type);
  if (isListType(type)) return plainOr(type, field, completeList(type.ofType, field));
  return isObjectType(type) ? completeObject(type, field) : completeAbstract(type, field);
}

/** Values that can simply be read are not executed. */
function plainOr(type: GraphQLNullableOutputType, { stepsOf }: Completing, complete: Complete): Complete {
  const read = readPlain(type, stepsOf);
  return (execution, value, path) => readSafely(read, value) ?? complete(execution, value, path);
}

/** A getter may throw: executing the value finds out at which field. */
function readSafely(read: ReadPlain, value: unknown): unknown {
  try {
    return read(value);
  } catch {
    return undefined;
  }
}

function completeLeaf(type: GraphQLLeafType): Complete {
  return (execution, value) => {
    const sent: unknown = serialize(type, value);
    if (sent !== null && sent !== undefined) return sent;
    execution.isDelegated = true;
    throw new Error(`${type.name} gives no value.`);
  };
}

/** The error of a scalar is about a value of the server, and must not be shown as an error of the request. */
function serialize(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.coerceOutputValue(value);
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
}

function completeList(itemType: GraphQLOutputType, field: Completing): Complete {
  const complete = completeAs(itemType, field);
  const at = { nodes: field.info.fieldNodes, isNullable: !isNonNullType(itemType) };
  const completeItem = (execution: Execution, item: unknown, path: ResponsePath): unknown => {
    try {
      const completed = isPromise(item)
        ? item.then((resolved) => complete(execution, resolved, path))
        : complete(execution, item, path);
      if (!isPromise(completed)) return completed;
      return completed.then(undefined, (error: unknown) => recordError(execution, error, at, path));
    } catch (error) {
      return recordError(execution, error, at, path);
    }
  };
  return (execution, value, prev) => {
    if (Array.isArray(value)) return completeItems(execution, value, prev, completeItem);
    execution.isDelegated = true;
    throw new Error("The value is no array.");
  };
}

function completeItems(
  execution: Execution,
  items: readonly unknown[],
  prev: ResponsePath | undefined,
  completeItem: (execution: Execution, item: unknown, path: ResponsePath) => unknown,
): unknown {
  let isPending = false;
  const completed: unknown[] = [];
  try {
    for (const [key, item] of items.entries()) {
      const done = completeItem(execution, item, { prev, key, typename: undefined });
      isPending ||= isPromise(done);
      completed.push(done);
    }
  } catch (error) {
    ignoreRejections(completed);
    ignoreRejections(items);
    throw error;
  }
  return isPending ? Promise.all(completed) : completed;
}

function completeObject(type: GraphQLObjectType, field: Completing): Complete {
  const { info, stepsOf } = field;
  const { isTypeOf } = type;
  if (!isTypeOf) {
    return plainOr(type, field, (execution, value, path) => executeFields(execution, stepsOf(type), value, path));
  }
  return (execution, value, path) => {
    const isIt = isTypeOf(value, execution.context, info);
    // An asynchronous answer, or that the value is of another type.
    if (isIt !== true) return delegate(execution, type, isIt);
    return executeFields(execution, stepsOf(type), value, path);
  };
}

function completeAbstract(type: GraphQLAbstractType, field: Completing): Complete {
  const { schema, info } = field;
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const completers = new Map<string, Complete>();
  const completerOf = (execution: Execution, name: string): Complete => {
    const found = schema.getType(name);
    if (!isObjectType(found) || !schema.isSubType(type, found)) return delegate(execution, type, name);
    const complete = completeObject(found, field);
    completers.set(name, complete);
    return complete;
  };
  return (execution, value, path) => {
    const name = resolveType(value, execution.context, info, type);
    if (typeof name !== "string") return delegate(execution, type, name);
    return (completers.get(name) ?? completerOf(execution, name))(execution, value, path);
  };
}

function delegate(execution: Execution, { name }: GraphQLNamedType, answer: unknown): never {
  execution.isDelegated = true;
  ignoreRejections([answer]);
  throw new Error(`The type of a ${name} is unknown, or is resolved asynchronously.`);
}
