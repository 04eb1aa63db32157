import type { GraphQLResolveInfo, GraphQLResolveInfoHelpers, ResponsePath } from "graphql";
import type { Execution } from "./field-step.ts";

/** The part of an execution that an info shows. */
type Informing = Pick<Execution, "rootValue" | "variables" | "controller" | "isOver">;

/** The part of a resolver's info that is the same for all values of a field. */
type FieldInfo = Pick<
  GraphQLResolveInfo,
  "fieldName" | "fieldNodes" | "returnType" | "parentType" | "schema" | "fragments" | "operation"
>;

/** Thrown where a function reads what only a full info has: the operation is then delegated to graphql-js. */
export class PartialInfoError extends Error {
  override name = "PartialInfoError";
}

/** Parameters of a resolver, the info included. */
const ALL_PARAMETERS = 4;

/** Whether a resolver declares its fourth parameter. One without declared parameters may take all of them as a rest. */
export function isInformed({ length }: { readonly length: number }, parameters = ALL_PARAMETERS): boolean {
  return length >= parameters || length === 0;
}

/**
 * Makes the info of resolvers that do not declare it: one for all executions, as a new one for each value took a tenth
 * of a query's time.
 */
export function sharedInfo(field: FieldInfo): GraphQLResolveInfo {
  return {
    ...field,
    getAbortSignal: partial,
    getAsyncHelpers: partial,
    get path() {
      return partial();
    },
    get rootValue() {
      return partial();
    },
    get variableValues() {
      return partial();
    },
  };
}

function partial(): never {
  throw new PartialInfoError("Only a resolver that declares its fourth parameter is given a full info.");
}

/** Makes the info of one call. */
export function fullInfo(
  execution: Informing,
  { fieldName, fieldNodes, returnType, parentType, schema, fragments, operation }: FieldInfo,
  path: ResponsePath,
): GraphQLResolveInfo {
  const { rootValue, variables: variableValues } = execution;
  return {
    fieldName,
    fieldNodes,
    returnType,
    parentType,
    path,
    schema,
    fragments,
    rootValue,
    operation,
    variableValues,
    getAbortSignal: () => abortSignalOf(execution),
    getAsyncHelpers: () => HELPERS,
  };
}

/** The signal is aborted at the end of the execution. */
function abortSignalOf(execution: Informing): AbortSignal {
  const controller = execution.controller ?? new AbortController();
  execution.controller = controller;
  if (execution.isOver) controller.abort();
  return controller.signal;
}

const HELPERS: GraphQLResolveInfoHelpers = {
  promiseAll(values) {
    const all = Promise.all(values);
    all.catch(() => HELPERS.track(values));
    return all;
  },
  track(values) {
    for (const value of values) Promise.resolve(value).catch(() => undefined);
  },
};
