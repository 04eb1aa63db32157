import { execute, subscribe } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphqlContext } from "../kit/context.ts";
import { createItemExecutor } from "./execute-items.ts";
import { createQueryExecutor } from "./execute-query.ts";
import { createOperationCompiler } from "./operation-compiler.ts";

/** The code that executes operations: compiled documents, or graphql-js alone. */
export type Executor = "compiled" | "library";

/**
 * Sets the executor of all transports. Queries and the items of subscriptions are executed from compiled documents;
 * everything else is delegated to graphql-js. The setting `library` delegates all operations, for comparison and for
 * tools that observe graphql-js.
 */
export function useExecutor(executor: Executor): Plugin<GraphqlContext> {
  if (executor === "library") {
    return {
      onExecute: ({ setExecuteFn }) => setExecuteFn(execute),
      onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribe),
    };
  }
  const compile = createOperationCompiler();
  const executeQuery = createQueryExecutor(compile);
  const openItems = createItemExecutor(compile);
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      setExecuteFn((given) => executeQuery({ ...given, contextValue }, () => execute(given)));
    },
    onSubscribe({ args: { contextValue }, setSubscribeFn }) {
      setSubscribeFn((given) => openItems({ ...given, contextValue }, () => subscribe(given)));
    },
  };
}
