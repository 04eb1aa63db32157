/** Generated operations over the schema of the product are answered as graphql-js answers them. */
import fc from "fast-check";
import {
  execute,
  type ExecutionResult,
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  subscribe,
  validate,
} from "graphql";
import { expect, inject, test } from "vitest";
import { createItemExecutor } from "../../../src/graphql/execution/execute-items.ts";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler, type OperationArgs } from "../../../src/graphql/execution/operation-compiler.ts";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";
import { schema as product } from "../../../src/graphql/server/schema.ts";
import { mockSchema } from "../../support/mocked-schema.ts";
import { type MockContext, mocksOf } from "../../support/mocked-values.ts";
import { createRandom } from "../../support/random.ts";
import { randomOperation } from "../../support/random-operation.ts";
import { createTurns } from "../../support/turns.ts";
import { comparable } from "./comparable.ts";

const schema: GraphQLSchema = mockSchema(
  product,
  mocksOf(() => schema),
);

type Result = ExecutionResult | AsyncIterable<ExecutionResult>;

/** All results of an operation, in the form in which they are compared. */
async function shown<Shown>(result: Result, show: (result: ExecutionResult) => Shown): Promise<Shown[]> {
  if (!(Symbol.asyncIterator in result)) return [show(result)];
  const items: Shown[] = [];
  for await (const item of result) items.push(show(item));
  return items;
}

async function compare(seed: number, count: { valid: number; own: number; all: number }) {
  const random = createRandom(seed);
  const operation = random.chance(0.8) ? OperationTypeNode.QUERY : OperationTypeNode.SUBSCRIPTION;
  const { query, variables: variableValues } = randomOperation(schema, random, operation);
  const oddities = random.pick([0, 1, 3, 10, 30]) ?? 0;
  const isPaced = random.chance(0.7);
  // A log that is read beside the look for its run takes a turn of its own before.
  // What is read for many objects arrives for all of them at once.
  const isExact = isPaced && !/\brun\(id: |\b(?:workspace|createdBy|phases)\b/.test(query);
  const show = (result: ExecutionResult): unknown => (isExact ? JSON.stringify(result) : comparable(result));
  const document = parse(query);
  count.all += 1;
  if (validate(schema, document).length > 0) return;
  count.valid += 1;
  const compile = createOperationCompiler();
  const executeQuery = createQueryExecutor(compile);
  const openItems = createItemExecutor(compile);
  const args = (): OperationArgs => {
    const context: MockContext = { seed, oddities, isPaced, turns: createTurns() };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of this schema
    return { schema, document, variableValues, contextValue: context as unknown as GraphqlContext };
  };
  const isQuery = operation === OperationTypeNode.QUERY;
  const expected = await shown(await (isQuery ? execute(args()) : subscribe(args())), show);
  // The second time from the compiled document.
  for (let time = 0; time < 2; time += 1) {
    const given = args();
    const found: Result | null = await (isQuery ? executeQuery(given, () => null) : openItems(given, () => null));
    if (found === null) return;
    if (time === 0) count.own += 1;
    const asked = `${query}\n${JSON.stringify({ variableValues, oddities, isPaced, seed })}`;
    expect(await shown(found, show), asked).toEqual(expected);
  }
}

test("generated operations have the data and the errors that graphql-js gives, in its order", async () => {
  const count = { all: 0, valid: 0, own: 0 };
  const property = fc.asyncProperty(fc.nat(), (seed) => compare(seed, count));
  await fc.assert(property, { numRuns: inject("soaks") ? 10_000 : 300, endOnFailure: true });
  // What is delegated, such as variables that do not fit, is no comparison.
  expect(count.valid).toBeGreaterThan(count.all * 0.8);
  expect(count.own).toBeGreaterThan(count.valid * 0.5);
}, 600_000);
