import type { GraphQLResolveInfo, ResponsePath } from "graphql";
import { type Arguments, type Execution, type FieldStep, ignoreRejections, isPromise } from "./field-step.ts";
import { isPlainObject } from "./plain-value.ts";
import { beginAhead } from "./read-ahead.ts";
import { addPosition } from "./relations.ts";
import { recordError } from "./record-error.ts";
import { fullInfo, isInformed } from "./resolve-info.ts";

/** Parameters of a method that is the value of a property, the info included. */
const METHOD_PARAMETERS = 3;

/**
 * Makes the response object of these fields, or a promise of it. Throws or rejects if one of them fails that must not
 * be null.
 */
export function executeFields(
  execution: Execution,
  steps: readonly FieldStep[],
  source: unknown,
  path: ResponsePath | undefined,
): unknown {
  const result: Record<string, unknown> = {};
  let pending: PromiseLike<void>[] | null = null;
  const properties = isPlainObject(source) ? source : null;
  try {
    for (const step of steps) {
      const { key } = step;
      const sent = properties === null || !step.isLeaf ? undefined : readProperty(step, properties);
      if (sent !== undefined) {
        result[key] = sent;
        continue;
      }
      if (step.readMany !== null) {
        // Keys have the order of the selection, not the order in which values arrive.
        result[key] = null;
        addPosition(execution, step, { source, result, path: pathOf(step, path) });
        continue;
      }
      const value = executeField(execution, step, source, path);
      if (isPromise(value)) {
        result[key] = null;
        pending ??= [];
        pending.push(
          value.then((settled) => {
            result[key] = settled;
          }),
        );
      } else result[key] = value;
    }
  } catch (error) {
    if (pending !== null) ignoreRejections(pending);
    throw error;
  }
  if (pending === null) return result;
  const [first] = pending;
  if (pending.length === 1 && first !== undefined) return first.then(() => result);
  return Promise.all(pending).then(() => result);
}

/** Reads a property that is sent as it is; gives `undefined` if it has to be executed. */
function readProperty({ plain, name }: FieldStep, source: Readonly<Record<string, unknown>>): unknown {
  if (plain === null) return undefined;
  try {
    return plain(source[name]);
  } catch {
    // A getter: executing the field finds out its error.
    return undefined;
  }
}

function executeField(
  execution: Execution,
  step: FieldStep,
  source: unknown,
  parent: ResponsePath | undefined,
): unknown {
  const path = step.isLeaf ? parent : pathOf(step, parent);
  try {
    const value = resolve(execution, step, source, parent);
    const completed = isPromise(value)
      ? value.then((resolved) => step.complete(execution, resolved, path))
      : step.complete(execution, value, path);
    if (!isPromise(completed)) return completed;
    return completed.then(undefined, (error: unknown) => {
      return recordError(execution, error, step, step.isLeaf ? pathOf(step, parent) : path);
    });
  } catch (error) {
    return recordError(execution, error, step, step.isLeaf ? pathOf(step, parent) : path);
  }
}

function pathOf({ key, parent: { name } }: FieldStep, prev: ResponsePath | undefined): ResponsePath {
  return { prev, key, typename: name };
}

function resolve(execution: Execution, step: FieldStep, source: unknown, parent: ResponsePath | undefined): unknown {
  const { context } = execution;
  if (step.resolve !== null) {
    const args = argumentsOf(execution, step);
    if (parent === undefined) resolveAhead(execution, step, args);
    return execution.ahead.get(step) ?? step.resolve(source, args, context, infoOf(execution, step, step, parent));
  }
  if ((typeof source !== "object" && typeof source !== "function") || source === null) return undefined;
  const property: unknown = Reflect.get(source, step.name);
  if (typeof property !== "function") return property;
  const asks = { isInformed: isInformed(property, METHOD_PARAMETERS) };
  return Reflect.apply(property, source, [
    argumentsOf(execution, step),
    context,
    infoOf(execution, step, asks, parent),
  ]);
}

/** Calls the resolvers that need no more than the id of the object that this field of the root looks up. */
function resolveAhead(execution: Execution, step: FieldStep, args: Arguments): void {
  for (const child of step.stepsAhead()) {
    const info = infoOf(execution, child, child, pathOf(step, undefined));
    execution.ahead.set(child, beginAhead(child, args["id"], argumentsOf(execution, child), execution.context, info));
  }
}

function infoOf(
  execution: Execution,
  step: FieldStep,
  { isInformed: isFull }: { isInformed: boolean },
  parent: ResponsePath | undefined,
): GraphQLResolveInfo {
  return isFull ? fullInfo(execution, step.info, pathOf(step, parent)) : step.info;
}

/** Works arguments out once an execution: the items of a list have the same. */
function argumentsOf(execution: Execution, step: FieldStep): Arguments {
  if (step.args !== null) return step.args;
  const known = execution.args.get(step);
  if (known !== undefined) return known;
  try {
    const args = step.argsOf(execution.variables);
    execution.args.set(step, args);
    return args;
  } catch (error) {
    execution.isDelegated = true;
    throw error;
  }
}
