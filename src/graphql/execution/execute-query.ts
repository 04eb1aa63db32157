import { type ExecutionResult, OperationTypeNode } from "graphql";
import type { CompileOperation, OperationArgs } from "./operation-compiler.ts";
import { executeSteps } from "./execute-steps.ts";

/**
 * Executes the queries that a server gets again and again: documents are planned once, and a page of a list takes a
 * third of the time. Everything else, and everything about which there could be two opinions, is left to the library,
 * `otherwise`: mutations, variables and arguments that do not fit, lists and types that are not told at once. Queries
 * change nothing, so that one which turns out to be unusual is simply executed again, with what its loaders have.
 *
 * A compiler to JavaScript (graphql-jit) was not taken: it works out all types that an interface may have beforehand,
 * and a document of 9 KB within all limits took it 5 s and 290 MB.
 */
export function createQueryExecutor(
  compile: CompileOperation,
): <Otherwise>(
  args: OperationArgs,
  otherwise: () => Otherwise,
) => Otherwise | ExecutionResult | PromiseLike<ExecutionResult | Otherwise> {
  return (args, otherwise) => {
    const found = compile(OperationTypeNode.QUERY, args);
    if (found === null) return otherwise();
    const { steps, variables } = found;
    return executeSteps({ context: args.contextValue, variables, args: new Map() }, steps, undefined, otherwise);
  };
}
