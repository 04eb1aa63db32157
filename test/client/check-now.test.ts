/** A machine that was asleep: its connections look open, and no answer comes on them. */
import { createServer, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { RunLogDocument, type RunLogSubscription } from "../../src/client/generated/graphql.ts";
import { startGraphqlTestServer, testToken } from "./graphql-test-server.ts";

const retry = { attempts: 3, baseMs: 10, maxMs: 20 };
const cursorOf = ({ runLog }: RunLogSubscription): string | undefined =>
  "cursor" in runLog ? runLog.cursor : undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Link extends AsyncDisposable {
  readonly url: string;
  /** Passes nothing on any more in the connections that are open; new ones are as usual. */
  freeze(): void;
}

async function startLink(to: string): Promise<Link> {
  const target = Number(new URL(to).port);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      ends.add(end);
      end.on("error", () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: to.replace(`:${target}`, `:${typeof address === "object" ? address?.port : ""}`),
    freeze() {
      for (const end of ends) end.unpipe().pause();
    },
    async [Symbol.asyncDispose]() {
      for (const end of ends) end.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const batch = (number: number): unknown => ({
  runLog: {
    __typename: "LogBatch",
    cursor: `c${number}`,
    lines: [{ number, at: "2026-01-01T00:00:00.000Z", phase: "PLAN", attempt: 1, text: "" }],
  },
});

test("a connection that does not answer within 2 s is made again, and the stream continues", async () => {
  const frozen = Promise.withResolvers<void>();
  await using server = await startGraphqlTestServer({
    async *runLog({ after }: { after?: string }) {
      if (after === undefined) {
        yield batch(1);
        await frozen.promise;
      }
      yield batch(2);
    },
  });
  await using link = await startLink(server.url);
  const closed = vi.fn<() => void>();
  const again = Promise.withResolvers<void>();
  const client = createClient({
    url: link.url,
    token: testToken,
    retry,
    onClosed: closed,
    onRetry: () => again.resolve(),
  });
  const stream = client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf });
  expect((await stream.next()).value?.runLog).toMatchObject({ cursor: "c1" });
  link.freeze();
  client.checkNow();
  await vi.advanceTimersByTimeAsync(1_990);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  await again.promise;
  expect((await stream.next()).value?.runLog).toMatchObject({ cursor: "c2" });
  frozen.resolve();
  await stream.return?.();
  await client[Symbol.asyncDispose]();
});

test("a connection that answers stays", async () => {
  await using server = await startGraphqlTestServer({
    async *runLog() {
      yield batch(1);
      await new Promise(() => {});
    },
  });
  const closed = vi.fn<() => void>();
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let alive = 0;
  const client = createClient({
    url: server.url,
    token: testToken,
    retry,
    onClosed: closed,
    onAlive: () => answers[alive++]?.resolve(),
  });
  const stream = client.subscribe(RunLogDocument, { runId: "run_1" }, { cursorOf });
  await stream.next();
  client.checkNow();
  await answers[1]?.promise;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(closed).not.toHaveBeenCalled();
  await client[Symbol.asyncDispose]();
});
