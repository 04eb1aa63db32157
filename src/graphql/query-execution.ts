import type { Plugin } from "graphql-yoga";
import type { GraphqlContext } from "./context.ts";
import { createItemExecutor } from "./execution/execute-items.ts";
import { createQueryExecutor } from "./execution/execute-query.ts";
import { createPlans } from "./execution/plans.ts";

/** Queries, and the items of subscriptions, are executed by plans that are kept with their documents. */
export function useQueryExecution(): Plugin<GraphqlContext> {
  const findPlan = createPlans();
  const executeQuery = createQueryExecutor(findPlan);
  const openItems = createItemExecutor(findPlan);
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { contextValue } = args;
      setExecuteFn((given) => executeQuery({ ...given, contextValue }, () => executeFn(given)));
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { contextValue } = args;
      setSubscribeFn((given) => openItems({ ...given, contextValue }, () => subscribeFn(given)));
    },
  };
}
