import { cacheExchange } from "@urql/exchange-graphcache";
import { Client, createRequest, type Exchange, makeResult } from "urql";
import { filter, makeSubject, map, pipe, subscribe, tap } from "wonka";
import { expect, it } from "vitest";
import { createInFlight } from "../../../src/console/live/in-flight.ts";

/** A client whose server answers when the test says so. */
function createClient() {
  const inFlight = createInFlight();
  const answers = makeSubject<number>();
  const sent: number[] = [];
  const server: Exchange = () => (operations) => {
    let newest: Parameters<typeof makeResult>[0] | undefined;
    pipe(
      operations,
      filter(({ kind }) => kind === "query"),
      tap((operation) => {
        newest = operation;
        sent.push(operation.key);
      }),
      subscribe(() => undefined),
    );
    return pipe(
      answers.source,
      map((count) => {
        if (newest === undefined) throw new Error("Nothing was asked.");
        return makeResult(newest, { data: { __typename: "Query", count } });
      }),
    );
  };
  const client = new Client({ url: "http://localhost", exchanges: [cacheExchange(), inFlight.exchange, server] });
  return { client, inFlight, sent, answer: (count: number) => answers.next(count) };
}

const REQUEST = createRequest("{ count }", {});

/** Reads as a view does; gives what it shows, and the function that ends it. */
function show({ client }: ReturnType<typeof createClient>) {
  const shown: unknown[] = [];
  const query = client.executeQuery(REQUEST, { requestPolicy: "cache-and-network" });
  const subscription = pipe(
    query,
    subscribe(({ data }) => shown.push(data?.count)),
  );
  return { shown, end: () => subscription.unsubscribe() };
}

it("asks again behind an answer that is on its way, once for all that want it", async () => {
  const world = createClient();
  const { shown } = show(world);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(true);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(true);
  expect(world.sent).toHaveLength(1);
  world.answer(1);
  await Promise.resolve();
  expect(world.sent).toHaveLength(2);
  world.answer(0);
  await Promise.resolve();
  expect(world.sent).toHaveLength(2);
  expect(shown.at(-1)).toBe(0);
});

it("leaves a query to its caller that has its answer, or that nobody shows any more", async () => {
  const world = createClient();
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(false);
  const former = show(world);
  world.answer(1);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(false);
  former.end();
  const again = show(world);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(true);
  again.end();
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(false);
  await Promise.resolve();
  expect(world.sent).toHaveLength(2);
});

it("is needed: the client drops the second request for a query, and sends later ones side by side", () => {
  const world = createClient();
  const reload = (): void => {
    const again = world.client.executeQuery(REQUEST, { requestPolicy: "network-only" });
    pipe(
      again,
      subscribe(() => undefined),
    );
  };
  show(world);
  reload();
  expect(world.sent).toHaveLength(1);
  world.answer(1);
  reload();
  reload();
  expect(world.sent).toHaveLength(3);
});
