/** Mutations are executed one after the other, whatever is late and whatever fails. */
import { execute, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, parse } from "graphql";
import { expect, test } from "vitest";
import { createQueryExecutor } from "../../../src/graphql/execution/execute-query.ts";
import { createOperationCompiler } from "../../../src/graphql/execution/operation-compiler.ts";
import type { GraphqlContext } from "../../../src/graphql/kit/context.ts";

const Counter = new GraphQLObjectType<{ value: number }>({
  name: "Counter",
  fields: {
    value: { type: GraphQLInt },
    late: {
      type: GraphQLInt,
      resolve: (counter) => new Promise((resolve) => setImmediate(() => resolve(counter.value))),
    },
  },
});

function schemaOf(events: string[]): GraphQLSchema {
  let value = 0;
  const add = (by: number) => {
    value += by;
    events.push(`added ${by}`);
    return { value };
  };
  const by = { by: { type: new GraphQLNonNull(GraphQLInt) } };
  return new GraphQLSchema({
    query: Counter,
    mutation: new GraphQLObjectType({
      name: "Mutation",
      fields: {
        now: { type: Counter, args: by, resolve: (_root, args) => add(args["by"]) },
        late: {
          type: Counter,
          args: by,
          resolve: (_root, args) => {
            events.push("begun");
            return new Promise((resolve) => setImmediate(() => resolve(add(args["by"]))));
          },
        },
        fails: { type: Counter, resolve: () => Promise.reject(new Error("failed")) },
        mustNotFail: { type: new GraphQLNonNull(Counter), resolve: () => Promise.reject(new Error("lost")) },
      },
    }),
  });
}

/** Once, as each execution changes the counter. */
async function executed(schema: GraphQLSchema, query: string) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no resolver asks for it
  const args = { schema, document: parse(query), contextValue: null as unknown as GraphqlContext };
  let isDelegated = false;
  const result = await createQueryExecutor(createOperationCompiler())(args, () => {
    isDelegated = true;
    return execute(args);
  });
  return { result, isDelegated };
}

test("each begins when the one before and all below it are over", async () => {
  const events: string[] = [];
  const schema = schemaOf(events);
  const query = "mutation { a: late(by: 1) { late value } b: now(by: 2) { value } c: late(by: 4) { value late } }";
  const { result, isDelegated } = await executed(schema, query);
  expect(isDelegated).toBe(true);
  expect(events).toEqual(["begun", "added 1", "added 2", "begun", "added 4"]);
  expect(JSON.stringify(result)).toBe(
    JSON.stringify({ data: { a: { late: 1, value: 1 }, b: { value: 3 }, c: { value: 7, late: 7 } } }),
  );
});

test("those behind one that fails are executed, unless it must not be null", async () => {
  const events: string[] = [];
  const query = "mutation { a: now(by: 1) { value } fails { value } b: now(by: 2) { value } }";
  expect((await executed(schemaOf(events), query)).result).toMatchObject({
    errors: [{ message: "failed", path: ["fails"] }],
    data: { a: { value: 1 }, fails: null, b: { value: 3 } },
  });
  const others: string[] = [];
  const lost = "mutation { a: now(by: 1) { value } mustNotFail { value } b: now(by: 2) { value } }";
  expect((await executed(schemaOf(others), lost)).result).toMatchObject({
    errors: [{ message: "lost", path: ["mustNotFail"] }],
    data: null,
  });
  expect(others).toEqual(["added 1"]);
});
