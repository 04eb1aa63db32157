import { type ExecutionResult, GraphQLError } from "graphql";
import { executeFields } from "./execute-fields.ts";
import { type Execution, type FieldStep, isPromise } from "./field-step.ts";

/** What several executions may share: with the same variables the same arguments. */
export type Started = Pick<Execution, "context" | "variables" | "args">;

/** Executes the fields of a root; where something unusual comes up, the answer is that of `otherwise`. */
export function executeSteps<Otherwise>(
  started: Started,
  steps: readonly FieldStep[],
  root: unknown,
  otherwise: () => Otherwise,
): Otherwise | ExecutionResult | PromiseLike<ExecutionResult | Otherwise> {
  const run: Execution = { ...started, errors: [], ahead: new Map(), unusual: false };
  const finish = (data: unknown) => (run.unusual ? otherwise() : toResult(run, data));
  const fail = (error: unknown) => (run.unusual ? otherwise() : toFailure(run, error));
  try {
    const data = executeFields(run, steps, root, null);
    return isPromise(data) ? data.then(finish, fail) : finish(data);
  } catch (error) {
    return fail(error);
  }
}

function toResult({ errors }: Execution, data: unknown): ExecutionResult {
  if (!isData(data)) throw new Error("An object was executed, and something else came of it.");
  return errors.length === 0 ? { data } : { errors, data };
}

/** A field of the root must not be null, and is. */
function toFailure({ errors }: Execution, error: unknown): ExecutionResult {
  if (!(error instanceof GraphQLError)) throw error;
  return { errors: [...errors, error], data: null };
}

function isData(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
