import { execute, type ExecutionResult, locatedError, OperationTypeNode } from "graphql";
import type { FieldStep } from "./field-step.ts";
import type { CompileOperation, OperationArgs } from "./operation-compiler.ts";
import { executeSteps, type Started } from "./execute-steps.ts";

export type Items = AsyncIterableIterator<ExecutionResult>;

/**
 * Opens subscriptions whose items are executed by the plan of the document, as queries are. The library took longer for
 * a batch of ten log lines than sending it to ten clients does. Whatever about there could be two opinions is left to
 * it, `otherwise`, when a subscription is opened, and a single item that turns out to be unusual as well.
 */
export function createItemExecutor(
  compile: CompileOperation,
): <Otherwise>(args: OperationArgs, otherwise: () => Otherwise) => Otherwise | Promise<Items | ExecutionResult> {
  return (args, otherwise) => {
    const found = compile(OperationTypeNode.SUBSCRIPTION, args);
    if (found === null) return otherwise();
    const { steps, variables } = found;
    const [step] = steps;
    if (step === undefined || steps.length > 1) return otherwise();
    const operation = { context: args.contextValue, variables, args: new Map() };
    return openSource(step, operation).then(
      (source) =>
        mapped(source, (item) => executeSteps(operation, steps, item, () => execute({ ...args, rootValue: item }))),
      (error: unknown) => ({ errors: [locatedError(error, step.nodes, [step.key])] }),
    );
  };
}

/** The items as the field gives them. */
async function openSource(
  { name, args, argsOf, info }: FieldStep,
  { context, variables }: Started,
): Promise<AsyncIterableIterator<unknown>> {
  const opened: unknown = await info.parentType
    .getFields()
    [name]?.subscribe?.(undefined, args ?? argsOf(variables), context, info);
  if (!isIterator(opened)) throw new Error(`${name} gives no items.`);
  return opened;
}

/** An explicit iterator: an async generator could not be closed while it waits. */
function mapped(
  source: AsyncIterableIterator<unknown>,
  executeItem: (item: unknown) => ExecutionResult | PromiseLike<ExecutionResult | PromiseLike<ExecutionResult>>,
): Items {
  const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
  return {
    async next() {
      const { done: isDone, value } = await source.next();
      return isDone === true ? done : { done: false, value: await executeItem(value) };
    },
    async return() {
      await source.return?.();
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function isIterator(value: unknown): value is AsyncIterableIterator<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}
