import { cacheExchange } from "@urql/exchange-graphcache";
import { Client, createRequest, type Exchange, makeResult } from "urql";
import { filter, makeSubject, map, pipe, subscribe, tap } from "wonka";
import { expect, it } from "vitest";
import { createInFlight } from "../../../src/console/live/in-flight.ts";

/** A client whose server answers when the test says so. */
function createClient() {
  let now = 0;
  const inFlight = createInFlight(() => now);
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
  const wait = (ms: number): void => void (now += ms);
  return { client, inFlight, sent, wait, answer: (count: number) => answers.next(count) };
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

it("leaves a query to its caller whose answer takes so long that it may be lost", () => {
  const world = createClient();
  show(world);
  world.wait(9_999);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(true);
  world.wait(1);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(false);
});

it("asks again behind the last of several answers", async () => {
  const world = createClient();
  show(world);
  world.answer(2);
  // A query that has had an answer is sent for each view that reads again.
  for (const _view of [1, 2]) {
    const again = world.client.executeQuery(REQUEST, { requestPolicy: "network-only" });
    pipe(
      again,
      subscribe(() => undefined),
    );
  }
  const again = world.sent.length;
  expect(again).toBe(3);
  expect(world.inFlight.askAgain(REQUEST.key)).toBe(true);
  for (let answered = 2; answered <= again; answered += 1) {
    expect(world.sent).toHaveLength(again);
    world.answer(1);
    await Promise.resolve();
  }
  expect(world.sent).toHaveLength(again + 1);
});
