import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLNullableOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  locatedError,
} from "graphql";
import { executeFields } from "./execute-fields.ts";
import { type Complete, type Execution, isPromise, type Selection, toKeys, type ValuePath } from "./field-step.ts";
import { readPlain } from "./plain-value.ts";

/** What completing a value takes, of the field that it belongs to. */
export interface Completing {
  schema: GraphQLSchema;
  info: GraphQLResolveInfo;
  /** What is selected on it. */
  stepsOf: Selection;
}

/** How values of a type are completed, worked out once. */
export function completeAs(type: GraphQLOutputType, deps: Completing): Complete {
  if (!isNonNullType(type)) {
    const complete = completePresent(type, deps);
    return (run, value, path) => {
      if (value instanceof Error) throw value;
      return value === null || value === undefined ? null : complete(run, value, path);
    };
  }
  const complete = completePresent(type.ofType, deps);
  const { parentType, fieldName } = deps.info;
  return (run, value, path) => {
    if (value instanceof Error) throw value;
    if (value !== null && value !== undefined) return complete(run, value, path);
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${fieldName}.`);
  };
}

function completePresent(type: GraphQLNullableOutputType, deps: Completing): Complete {
  if (isLeafType(type)) return completeLeaf(type);
  if (isListType(type)) return plainOr(type, deps, completeList(type.ofType, deps));
  return isObjectType(type) ? completeObject(type, deps) : completeAbstract(type, deps);
}

/** What can simply be read is not executed. */
function plainOr(type: GraphQLNullableOutputType, { stepsOf }: Completing, complete: Complete): Complete {
  const read = readPlain(type, stepsOf);
  return (run, value, path) => read(value) ?? complete(run, value, path);
}

function completeLeaf(type: GraphQLLeafType): Complete {
  return (_run, value) => {
    const sent: unknown = serialize(type, value);
    if (sent !== null && sent !== undefined) return sent;
    throw new Error(`${type.name} made nothing of a value of type ${typeof value}.`);
  };
}

/** What a scalar says about a value of ours is no error of the request: it must not be taken for one. */
function serialize(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.coerceOutputValue(value);
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
}

function completeList(itemType: GraphQLOutputType, deps: Completing): Complete {
  const complete = completeAs(itemType, deps);
  const isNullable = !isNonNullType(itemType);
  const { parentType, fieldName, fieldNodes } = deps.info;
  const failed = (run: Execution, error: unknown, path: ValuePath): null => {
    const shown = locatedError(error, fieldNodes, toKeys(path));
    if (!isNullable) throw shown;
    run.errors.push(shown);
    return null;
  };
  const completeItem = (run: Execution, item: unknown, path: ValuePath): unknown => {
    try {
      const completed = isPromise(item)
        ? item.then((resolved) => complete(run, resolved, path))
        : complete(run, item, path);
      if (!isPromise(completed)) return completed;
      return completed.then(undefined, (error: unknown) => failed(run, error, path));
    } catch (error) {
      return failed(run, error, path);
    }
  };
  return (run, value, before) => {
    if (Array.isArray(value)) return completeItems(run, value, before, completeItem);
    run.unusual = true;
    throw new Error(`Expected a list for ${parentType.name}.${fieldName}.`);
  };
}

function completeItems(
  run: Execution,
  items: readonly unknown[],
  before: ValuePath | null,
  completeItem: (run: Execution, item: unknown, path: ValuePath) => unknown,
): unknown {
  let isPending = false;
  const completed: unknown[] = [];
  try {
    for (const [key, item] of items.entries()) {
      const done = completeItem(run, item, { before, key });
      isPending ||= isPromise(done);
      completed.push(done);
    }
  } catch (error) {
    if (!isPending) throw error;
    return Promise.allSettled(completed).then(() => {
      throw error;
    });
  }
  return isPending ? Promise.all(completed) : completed;
}

function completeObject(type: GraphQLObjectType, deps: Completing): Complete {
  const { info, stepsOf } = deps;
  const { isTypeOf } = type;
  if (!isTypeOf) {
    return plainOr(type, deps, (run, value, path) => executeFields(run, stepsOf(type), value, path));
  }
  return (run, value, path) => {
    const isIt = isTypeOf(value, run.context, info);
    // Nothing here tells later what it is, or that it is something else.
    if (isIt !== true) run.unusual = true;
    return executeFields(run, stepsOf(type), value, path);
  };
}

function completeAbstract(type: GraphQLAbstractType, deps: Completing): Complete {
  const { schema, info } = deps;
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const completers = new Map<string, Complete>();
  const completerOf = (name: string): Complete => {
    const found = schema.getType(name);
    if (!isObjectType(found) || !schema.isSubType(type, found)) throw new Error(`${name} is no ${type.name}.`);
    const complete = completeObject(found, deps);
    completers.set(name, complete);
    return complete;
  };
  return (run, value, path) => {
    const name = resolveType(value, run.context, info, type);
    if (typeof name === "string") return (completers.get(name) ?? completerOf(name))(run, value, path);
    run.unusual = true;
    throw new Error(`The type of a ${type.name} is not told at once.`);
  };
}
