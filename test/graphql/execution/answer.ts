import { execute, type ExecutionArgs, type ExecutionResult, type GraphQLSchema, parse } from "graphql";
import { expect } from "vitest";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";

interface Asked extends Partial<Omit<ExecutionArgs, "schema" | "document">> {
  schema: GraphQLSchema;
  query: string;
}

/**
 * Executes an operation as the product does: from the compiled document, and by graphql-js where that is delegated.
 * Expects the result that graphql-js alone gives, errors and the order of keys included.
 */
export async function answer({ schema, query, ...more }: Asked): Promise<{ result: unknown; isDelegated: boolean }> {
  const executeQuery = createQueryExecutor(createOperationCompiler());
  const args = { schema, document: parse(query), ...more };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
  const contextValue = more.contextValue as GraphqlContext;
  let isDelegated = false;
  let text = "";
  // The second time from the compiled document.
  for (let time = 0; time < 2; time += 1) {
    const found: ExecutionResult = await executeQuery({ ...args, contextValue }, () => {
      isDelegated = true;
      return execute(args);
    });
    text = JSON.stringify(found);
    expect(text).toBe(JSON.stringify(await execute(args)));
  }
  return { result: JSON.parse(text), isDelegated };
}
