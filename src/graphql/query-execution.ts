import type { Plugin } from "graphql-yoga";
import type { GraphqlContext } from "./context.ts";
import { createQueryExecutor } from "./execution/execute-query.ts";
import { createPlans } from "./execution/plans.ts";

/** Queries are executed by plans that are kept with their documents, whatever they came in by. */
export function useQueryExecution(): Plugin<GraphqlContext> {
  const executeQuery = createQueryExecutor(createPlans());
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { contextValue } = args;
      setExecuteFn((given) => executeQuery({ ...given, contextValue }, () => executeFn(given)));
    },
  };
}
