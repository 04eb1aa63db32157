import { execute, type ExecutionResult, subscribe } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphqlContext } from "../kit/context.ts";
import { chargeOperation } from "./charge.ts";
import { createItemExecutor, type Items } from "./execute-items.ts";
import { createQueryExecutor } from "./execute-query.ts";
import { createOperationCompiler, type OperationArgs } from "./operation-compiler.ts";
import { noteOperation } from "./operation-facts.ts";

/** The code that executes operations: compiled documents, or graphql-js alone. */
export type Executor = "compiled" | "library";

type Executed = ExecutionResult | PromiseLike<ExecutionResult | PromiseLike<ExecutionResult>>;
type Opened = Items | ExecutionResult;
type Subscribed = Opened | PromiseLike<Opened | PromiseLike<Opened>>;

/** Executes the operations of all transports. */
export interface OperationExecutor {
  execute: (args: OperationArgs) => Executed;
  subscribe: (args: OperationArgs) => Subscribed;
}

/**
 * Creates the executor. An operation is noted for the log, then charged to its caller, then executed unless it was refused
 * for its cost.
 */
export function createOperationExecutor(executor: Executor): OperationExecutor {
  const engine = executor === "library" ? { execute, subscribe } : createEngine();
  return {
    execute: (args) => begin(args) ?? engine.execute(args),
    subscribe: (args) => begin(args) ?? engine.subscribe(args),
  };
}

/** Gives the result of an operation that is not executed; else `null`. */
function begin(args: OperationArgs): ExecutionResult | null {
  noteOperation(args.contextValue, args);
  const error = chargeOperation(args.contextValue, args);
  return error === null ? null : { errors: [error] };
}

/**
 * Executes queries and the items of subscriptions from compiled documents, and delegates everything else to graphql-js.
 * The setting `library` delegates all operations, for comparison and for tools that observe graphql-js.
 */
function createEngine(): OperationExecutor {
  const compile = createOperationCompiler();
  const executeQuery = createQueryExecutor(compile);
  const openItems = createItemExecutor(compile);
  return {
    execute: (args) => executeQuery(args, () => execute(args)),
    subscribe: (args) => openItems(args, () => subscribe(args)),
  };
}

/** Sets the executor of the operations that Yoga executes. */
export function useExecutor({ execute: executeBy, subscribe: subscribeBy }: OperationExecutor): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn((given) => executeBy({ ...given, contextValue }));
    },
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      setSubscribeFn((given) => subscribeBy({ ...given, contextValue }));
    },
  };
}
