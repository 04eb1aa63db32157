import { locatedError } from "graphql";
import { type Arguments, type Execution, type FieldStep, isPromise, toKeys, type ValuePath } from "./field-step.ts";
import { beginAhead } from "./read-ahead.ts";

/** The response object of these fields, or a promise of it. Throws, or rejects, where one of them must not be null. */
export function executeFields(
  run: Execution,
  steps: readonly FieldStep[],
  source: unknown,
  path: ValuePath | null,
): unknown {
  const result: Record<string, unknown> = {};
  let pending: PromiseLike<void>[] | null = null;
  try {
    for (const step of steps) {
      const { key } = step;
      const value = executeField(run, step, source, path);
      if (isPromise(value)) {
        // The order of keys is that of the selection, whichever is there first.
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
    if (pending === null) throw error;
    // Those that are under way may fail, too, and nobody else would hear of it.
    return Promise.allSettled(pending).then(() => {
      throw error;
    });
  }
  if (pending === null) return result;
  const [first] = pending;
  if (pending.length === 1 && first !== undefined) return first.then(() => result);
  return Promise.all(pending).then(() => result);
}

function executeField(run: Execution, step: FieldStep, source: unknown, parent: ValuePath | null): unknown {
  const path = step.isLeaf ? parent : { before: parent, key: step.key };
  try {
    const value = resolve(run, step, source);
    const completed = isPromise(value)
      ? value.then((resolved) => step.complete(run, resolved, path))
      : step.complete(run, value, path);
    if (!isPromise(completed)) return completed;
    return completed.then(undefined, (error: unknown) => failed(run, step, error, fieldPath(step, parent)));
  } catch (error) {
    return failed(run, step, error, fieldPath(step, parent));
  }
}

function fieldPath({ key }: FieldStep, parent: ValuePath | null): ValuePath {
  return { before: parent, key };
}

function resolve(run: Execution, step: FieldStep, source: unknown): unknown {
  if (step.resolve !== null) {
    const args = argumentsOf(run, step);
    for (const child of step.stepsAhead()) {
      run.ahead.set(child, beginAhead(run, child, args["id"], argumentsOf(run, child)));
    }
    return run.ahead.get(step) ?? step.resolve(source, args, run.context, step.info);
  }
  const { name } = step;
  if (typeof source !== "object" || source === null) return undefined;
  const property: unknown = Reflect.get(source, name);
  if (typeof property !== "function") return property;
  return Reflect.apply(property, source, [argumentsOf(run, step), run.context, step.info]);
}

/** In a list a field is reached many times, with the same arguments. */
function argumentsOf(run: Execution, step: FieldStep): Arguments {
  if (step.args !== null) return step.args;
  const known = run.args.get(step);
  if (known !== undefined) return known;
  try {
    const args = step.argsOf(run.variables);
    run.args.set(step, args);
    return args;
  } catch (error) {
    run.unusual = true;
    throw error;
  }
}

/** A field that failed is null where it may be; where it must not be, what it belongs to has failed. */
function failed(run: Execution, step: FieldStep, error: unknown, path: ValuePath): null {
  const shown = locatedError(error, step.nodes, toKeys(path));
  if (!step.isNullable) throw shown;
  run.errors.push(shown);
  return null;
}
