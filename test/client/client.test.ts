import { setTimeout as sleep } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { createClient } from "../../src/client/client.ts";
import { RequestError, UnauthenticatedError, UnreachableError } from "../../src/client/errors.ts";
import { LogEndDocument, RunLogDocument, type RunLogSubscription } from "../../src/client/generated/graphql.ts";
import { type RootFields, startGraphqlTestServer, testToken } from "./graphql-test-server.ts";

const retry = { attempts: 3, baseMs: 10, maxMs: 20 };
const cursorOf = ({ runLog }: RunLogSubscription): string | undefined =>
  "cursor" in runLog ? runLog.cursor : undefined;
const numbersOf = ({ runLog }: RunLogSubscription): number[] =>
  runLog.__typename === "LogBatch" ? runLog.lines.map((line) => line.number) : [];

function batch(number: number): unknown {
  const line = { number, at: "2026-01-01T00:00:00.000Z", phase: "PLAN", attempt: 1, text: `line ${number}` };
  return { runLog: { __typename: "LogBatch", cursor: `c${number}`, lines: [line] } };
}

/** A log of `total` lines that waits for `gate` before line `pauseAt`. */
function log(
  total: number,
  pauseAt = 0,
  gate: Promise<void> = Promise.resolve(),
  onPause: () => void = () => {},
): RootFields {
  return {
    async *runLog({ after }: { after: string | null }) {
      for (let number = Number(after?.slice(1) ?? 0) + 1; number <= total; number += 1) {
        if (number === pauseAt) {
          onPause();
          await gate;
        }
        yield batch(number);
      }
    },
  };
}

describe("request", () => {
  test("gives the data of the document's type", async () => {
    await using server = await startGraphqlTestServer({
      run: () => ({ isTerminal: true, log: { edges: [{ node: { number: 7 } }] } }),
    });
    await using client = createClient({ url: server.url, token: testToken });
    const { run } = await client.request(LogEndDocument, { id: "run_1" });
    expect(run?.log.edges[0]?.node.number).toBe(7);
  });

  test("reports that the token is not accepted", async () => {
    await using server = await startGraphqlTestServer({});
    await using client = createClient({ url: server.url, token: "wrong" });
    await expect(client.request(LogEndDocument, { id: "run_1" })).rejects.toThrow(UnauthenticatedError);
  });

  test("carries top-level errors", async () => {
    await using server = await startGraphqlTestServer({
      run: () => {
        throw new Error("broken");
      },
    });
    await using client = createClient({ url: server.url, token: testToken });
    const error = await client.request(LogEndDocument, { id: "run_1" }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ message: "broken" });
  });

  test("reports that no server answers", async () => {
    const server = await startGraphqlTestServer({});
    await server.stop();
    await using client = createClient({ url: server.url, token: testToken });
    await expect(client.request(LogEndDocument, { id: "run_1" })).rejects.toThrow(UnreachableError);
  });
});

describe("subscribe", () => {
  test.each([1, 5, 20])("a socket dropped before line %i loses nothing and repeats nothing", async (pauseAt) => {
    const gate = Promise.withResolvers<void>();
    const dropped = Promise.withResolvers<void>();
    await using server = await startGraphqlTestServer(log(20, pauseAt, gate.promise));
    let retries = 0;
    const onRetry = (): void => {
      retries += 1;
      dropped.resolve();
    };
    await using client = createClient({ url: server.url, token: testToken, retry, onRetry });
    const seen: number[] = [];
    const dropping = (async () => {
      while (seen.length < pauseAt - 1 || server.subscribed.length === 0) await sleep(2);
      server.dropSockets();
      await dropped.promise;
      gate.resolve();
    })();
    for await (const item of client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf }))
      seen.push(...numbersOf(item));
    await dropping;
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(retries).toBeGreaterThan(0);
    expect(server.subscribed.at(-1)).toMatchObject(pauseAt === 1 ? { runId: "run_1" } : { after: `c${pauseAt - 1}` });
  });

  test("a regular close while lines are due resumes too", async () => {
    const gate = Promise.withResolvers<void>();
    await using server = await startGraphqlTestServer(log(4, 3, gate.promise));
    await using client = createClient({ url: server.url, token: testToken, retry });
    const seen: number[] = [];
    for await (const item of client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf })) {
      seen.push(...numbersOf(item));
      if (seen.length === 2 && server.subscribed.length === 1) {
        server.closeSockets(1001);
        gate.resolve();
      }
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test("lines that were received and not read yet are not sent again", async () => {
    const gate = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    await using server = await startGraphqlTestServer(log(6, 5, gate.promise, sent.resolve));
    await using client = createClient({ url: server.url, token: testToken, retry });
    const stream = client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf });
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      const { value } = await stream.next();
      if (value !== undefined) seen.push(...numbersOf(value));
    };
    await read();
    await sent.promise;
    // Behind lines 2 to 4, which the client has when it sees the close.
    server.closeSockets(1001);
    await expect.poll(() => server.subscribed.at(-1)).toMatchObject({ after: "c4" });
    gate.resolve();
    for (let rest = 2; rest <= 6; rest += 1) await read();
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("a wrong token is an error at once", async () => {
    await using server = await startGraphqlTestServer(log(1));
    await using client = createClient({ url: server.url, token: "wrong" });
    await expect(client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf }).next()).rejects.toThrow(
      UnauthenticatedError,
    );
  });

  test("a token that is revoked on a live socket is an error, not a retry", async () => {
    await using server = await startGraphqlTestServer(log(2, 2, new Promise(() => {})));
    await using client = createClient({ url: server.url, token: testToken, retry });
    const stream = client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf });
    await stream.next();
    server.closeSockets(4403);
    await expect(stream.next()).rejects.toThrow(/revoked/u);
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
  });

  test("gives up on a server that is gone", async () => {
    await using server = await startGraphqlTestServer(log(2, 2, new Promise(() => {})));
    await using client = createClient({ url: server.url, token: testToken, retry });
    const stream = client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf });
    await stream.next();
    await server.stop();
    await expect(stream.next()).rejects.toThrow(UnreachableError);
  });

  test("an idle stream can be left at once", async () => {
    await using server = await startGraphqlTestServer(log(1, 1, new Promise(() => {})));
    await using client = createClient({ url: server.url, token: testToken, retry });
    const stream = client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf });
    const pending = stream.next();
    await stream.return?.();
    await expect(pending).resolves.toEqual({ done: true, value: undefined });
  });

  test("a top-level error of the subscription is an error", async () => {
    await using server = await startGraphqlTestServer({
      runLog: () => {
        throw new Error("no such run");
      },
    });
    await using client = createClient({ url: server.url, token: testToken, retry });
    const stream = client.subscribe(RunLogDocument, { runId: "run_9" }, { cursorOf });
    await expect(stream.next()).rejects.toThrow("no such run");
  });
});
