import { execute, type ExecutionResult, type GraphQLFieldResolver, locatedError, OperationTypeNode } from "graphql";
import { executeSteps } from "./execute-steps.ts";
import type { FieldStep } from "./field-step.ts";
import type { CompiledOperation, CompileOperation, OperationArgs } from "./operation-compiler.ts";
import { fullInfo } from "./resolve-info.ts";

export type Items = AsyncIterableIterator<ExecutionResult>;

/**
 * Opens subscriptions whose items are executed from the compiled document: graphql-js took longer for a batch of ten
 * log lines than it takes to send it to ten clients. Everything ambiguous is delegated to graphql-js: by `delegate`
 * when the subscription is opened, and item by item afterwards.
 */
export function createItemExecutor(
  compile: CompileOperation,
): <Delegated>(
  args: OperationArgs,
  delegate: () => Delegated,
) => Delegated | Promise<Items | ExecutionResult | Delegated> {
  return (args, delegate) => {
    const compiled = compile(OperationTypeNode.SUBSCRIPTION, args);
    if (compiled === null) return delegate();
    const { steps, variables } = compiled;
    const [step] = steps;
    const subscribe = step?.info.parentType.getFields()[step.name]?.subscribe;
    if (step === undefined || steps.length > 1 || !subscribe) return delegate();
    const started = { context: args.contextValue, variables, args: new Map() };
    const executeItem = (item: unknown) =>
      executeSteps(started, steps, item, () => execute({ ...args, rootValue: item }));
    return openSource(step, subscribe, compiled, args).then(
      async (source) => (source === null ? await delegate() : toResults(source, executeItem)),
      (error: unknown) => ({ errors: [locatedError(error, step.nodes, [step.key])] }),
    );
  };
}

/** Gives `null` if the field gives no iterable. */
async function openSource(
  { key, args, argsOf, info }: FieldStep,
  subscribe: GraphQLFieldResolver<unknown, unknown>,
  { variables }: CompiledOperation,
  { rootValue, contextValue }: OperationArgs,
): Promise<AsyncIterator<unknown> | null> {
  const path = { prev: undefined, key, typename: info.parentType.name };
  const asked = fullInfo({ rootValue, variables, controller: null, isOver: false }, info, path);
  const opened: unknown = await subscribe(rootValue, args ?? argsOf(variables), contextValue, asked);
  if (opened instanceof Error) throw opened;
  return isAsyncIterable(opened) ? opened[Symbol.asyncIterator]() : null;
}

/** An explicit iterator: an async generator cannot be closed while it waits. */
function toResults(
  source: AsyncIterator<unknown>,
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

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
