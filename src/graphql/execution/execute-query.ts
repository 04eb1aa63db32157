import { type ExecutionResult, OperationTypeNode } from "graphql";
import { executeSteps } from "./execute-steps.ts";
import type { CompileOperation, OperationArgs } from "./operation-compiler.ts";

/**
 * Executes queries from compiled documents, in a third of the time for a page of a list. Everything ambiguous is
 * delegated to graphql-js: mutations, variables and arguments that do not fit, lists and types that are resolved
 * asynchronously. A query changes nothing, so one that turns out to be ambiguous is executed a second time.
 */
export function createQueryExecutor(
  compile: CompileOperation,
): <Delegated>(
  args: OperationArgs,
  delegate: () => Delegated,
) => Delegated | ExecutionResult | PromiseLike<ExecutionResult | Delegated> {
  return (args, delegate) => {
    const compiled = compile(OperationTypeNode.QUERY, args);
    if (compiled === null) return delegate();
    const { steps, variables } = compiled;
    return executeSteps({ context: args.contextValue, variables, args: new Map() }, steps, args.rootValue, delegate);
  };
}
