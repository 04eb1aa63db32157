import { type ExecutionResult, GraphQLError } from "graphql";
import { executeFields } from "./execute-fields.ts";
import { type Execution, type FieldStep, isPromise } from "./field-step.ts";
import { noRelations, whenSettled } from "./relations.ts";

/** The part of an execution that the items of one subscription share: equal variables give equal arguments. */
type Started = Pick<Execution, "context" | "variables" | "args">;

/** Executes the fields of a root. The result is that of `delegate` if graphql-js has to execute the operation. */
export function executeSteps<Delegated>(
  started: Started,
  steps: readonly FieldStep[],
  rootValue: unknown,
  delegate: () => Delegated,
): Delegated | ExecutionResult | PromiseLike<ExecutionResult | Delegated> {
  const execution: Execution = {
    ...started,
    rootValue,
    errors: [],
    nulled: new Set(),
    ahead: new Map(),
    relations: noRelations(),
    controller: null,
    isOver: false,
    isDelegated: false,
  };
  const result = (data: unknown) => (end(execution) ? delegate() : toResult(execution, data));
  const finish = (data: unknown) => {
    const settled = whenSettled(execution);
    return settled === null ? result(data) : settled.then(() => result(data));
  };
  const fail = (error: unknown) => (end(execution) ? delegate() : toFailure(execution, error));
  try {
    const data = executeFields(execution, steps, rootValue, undefined);
    return isPromise(data) ? data.then(finish, fail) : finish(data);
  } catch (error) {
    return fail(error);
  }
}

/** Ends an execution, and gives whether it is delegated. */
function end(execution: Execution): boolean {
  execution.isOver = true;
  execution.controller?.abort();
  return execution.isDelegated;
}

/** A copy: what fails later belongs to no result. */
function toResult({ errors }: Execution, data: unknown): ExecutionResult {
  if (!isData(data)) throw new Error("An object was executed, and the result is none.");
  return errors.length === 0 ? { data } : { errors: [...errors], data };
}

/** A field of the root is null that must not be. */
function toFailure({ errors }: Execution, error: unknown): ExecutionResult {
  if (!(error instanceof GraphQLError)) throw error;
  return { errors: [...errors, error], data: null };
}

function isData(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
