/** The setting of the executor decides whether graphql-js executes an operation, and changes no answer. */
import { tracingChannel } from "node:diagnostics_channel";
import { expect, onTestFinished, test } from "vitest";
import { createGraphql } from "../../../src/graphql/server/yoga.ts";
import { createFakeDomain, fakeCaller, fakeId, fakeRun, fakeWorkspace } from "../../support/fake-domain.ts";
import { createFakeTails, fakeCursorKey } from "../../support/fake-tails.ts";
import { sendHere } from "../../support/two-ways.ts";

test.each([
  { executor: "compiled" as const, byLibrary: ["mutation"] },
  { executor: "library" as const, byLibrary: ["query", "mutation"] },
])("$executor: graphql-js executes $byLibrary", async ({ executor, byLibrary }) => {
  const seen: unknown[] = [];
  const hear = (message: unknown): unknown => seen.push(Reflect.get(Object(message), "operationType"));
  const { start } = tracingChannel("graphql:execute");
  start.subscribe(hear);
  onTestFinished(() => {
    start.unsubscribe(hear);
  });
  const { domain } = createFakeDomain({ workspaces: [fakeWorkspace()], runs: [fakeRun(1)] });
  const graphql = createGraphql({
    domain,
    tails: createFakeTails().tails,
    cursorKeyOf: fakeCursorKey,
    report: (error) => expect.unreachable(String(error)),
    logger: { debug: () => {} },
    executor,
  });
  const ask = (query: string) => sendHere(graphql, { caller: fakeCaller }, JSON.stringify({ query }));
  const id = fakeId("run", 1);
  expect(await ask(`{ run(id: "${id}") { id number } }`)).toEqual({ data: { run: { id, number: 1 } } });
  expect(await ask("mutation { __typename }")).toEqual({ data: { __typename: "Mutation" } });
  expect(seen).toEqual(byLibrary);
});
