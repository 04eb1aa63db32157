import type { GraphQLField } from "graphql";
import {
  type Execution,
  type FieldStep,
  isPromise,
  type Position,
  type ReadMany,
  type Relations,
} from "./field-step.ts";
import { recordError } from "./record-error.ts";

/**
 * Finds the read of a field that is marked, among its extensions, by `readMany`: its values are read for many objects at
 * once. Gives `null` if there is no mark, or if the field has arguments.
 */
export function readManyOf({ extensions, args }: GraphQLField<unknown, unknown>): ReadMany | null {
  const { readMany } = extensions;
  return typeof readMany === "function" && args.length === 0
    ? (...given) => Reflect.apply(readMany, null, given)
    : null;
}

export function noRelations(): Relations {
  return { waiting: new Map(), underWay: 0, whenSettled: null };
}

/** Adds a position whose value is read at the end of this turn. */
export function addPosition(execution: Execution, step: FieldStep, position: Position): void {
  const { waiting } = execution.relations;
  const positions = waiting.get(step);
  if (positions !== undefined) {
    positions.push(position);
    return;
  }
  if (waiting.size === 0) queueMicrotask(() => readAll(execution));
  waiting.set(step, [position]);
}

/** Gives `null` if nothing is waited for. */
export function whenSettled({ relations }: Execution): Promise<void> | null {
  if (isSettled(relations)) return null;
  relations.whenSettled ??= Promise.withResolvers();
  return relations.whenSettled.promise;
}

function isSettled({ waiting, underWay }: Relations): boolean {
  return waiting.size === 0 && underWay === 0;
}

function readAll(execution: Execution): void {
  const { waiting } = execution.relations;
  const groups = [...waiting];
  waiting.clear();
  for (const [step, positions] of groups) {
    const [only] = positions;
    if (positions.length > 1 || only === undefined) readMany(execution, step, positions);
    else readOne(execution, step, only);
  }
}

function readMany(execution: Execution, step: FieldStep, positions: readonly Position[]): void {
  const sources = positions.map(({ source }) => source);
  const read = Promise.try(() => step.readMany?.(sources, execution.context) ?? []);
  track(
    execution,
    read,
    (values) => {
      for (const [index, position] of positions.entries()) complete(execution, step, position, values[index]);
    },
    (error) => {
      for (const position of positions) fail(execution, step, position, error);
    },
  );
}

/** Calls the resolver of the field, which takes less time for one object. */
function readOne(execution: Execution, step: FieldStep, position: Position): void {
  const read = Promise.try(() => step.resolve?.(position.source, {}, execution.context, step.info));
  track(
    execution,
    read,
    (value) => complete(execution, step, position, value),
    (error) => fail(execution, step, position, error),
  );
}

/** Calls one of the two when the value is there, and notes when nothing is under way any more. */
function track<Value>(
  { relations }: Execution,
  promise: PromiseLike<Value>,
  succeed: (value: Value) => void,
  fail: (error: unknown) => void,
): void {
  relations.underWay += 1;
  const end = (): void => {
    relations.underWay -= 1;
    if (isSettled(relations)) relations.whenSettled?.resolve();
  };
  void promise.then(succeed, fail).then(end, end);
}

function complete(execution: Execution, step: FieldStep, position: Position, value: unknown): void {
  const { result, path } = position;
  try {
    const completed = step.complete(execution, value, path);
    if (!isPromise(completed)) result[step.key] = completed;
    else
      track(
        execution,
        completed,
        (settled) => {
          result[step.key] = settled;
        },
        (error) => fail(execution, step, position, error),
      );
  } catch (error) {
    fail(execution, step, position, error);
  }
}

/** The object of the position was completed long ago: graphql-js has to find out what is null where this must not be. */
function fail(execution: Execution, step: FieldStep, { path }: Position, error: unknown): void {
  try {
    recordError(execution, error, step, path);
  } catch {
    execution.isDelegated = true;
  }
}
