/** How a shared stream is opened, waits for one that is slow, and is closed, step by step. */
import { setImmediate } from "node:timers/promises";
import { type ExecutionResult, GraphQLError, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../../src/graphql/server/schema.ts";
import { createSharedStreams } from "../../../src/graphql/server/shared-streams.ts";
import type { OpenedStream, StreamFacts, SubscribeRequest } from "../../../src/graphql/server/stream-transport.ts";
import { fakeCaller, fakeId } from "../../support/fake-domain.ts";

const query = "subscription Log($id: ID!) { runLog(runId: $id) { __typename } }";
const document = parse(query);

interface Reader {
  name: string;
  ready: PromiseWithResolvers<void> | null;
}

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
}

/** An execution whose items the test gives. */
function execution(log: string[]) {
  const asked: PromiseWithResolvers<IteratorResult<ExecutionResult>>[] = [];
  const items: AsyncIterableIterator<ExecutionResult> = {
    next() {
      const question = Promise.withResolvers<IteratorResult<ExecutionResult>>();
      asked.push(question);
      log.push("asked");
      return question.promise;
    },
    return() {
      log.push("returned");
      return Promise.reject(new Error("It cannot be closed."));
    },
    [Symbol.asyncIterator]: () => items,
  };
  return {
    items,
    give: async (item: string): Promise<void> => {
      const question = asked.shift() ?? expect.fail("Nothing was asked of the execution.");
      question.resolve({ done: false, value: { data: { item } } });
      await settle();
    },
    end: async (): Promise<void> => {
      const question = asked.shift() ?? expect.fail("Nothing was asked of the execution.");
      question.resolve({ done: true, value: undefined });
      await settle();
    },
    fail: async (error: Error): Promise<void> => {
      const question = asked.shift() ?? expect.fail("Nothing was asked of the execution.");
      question.reject(error);
      await settle();
    },
  };
}

function setup(open: (index: number) => Promise<OpenedStream>) {
  const log: string[] = [];
  const facts: StreamFacts[] = [];
  let opened = 0;
  const streams = createSharedStreams<Reader, string>({
    schema,
    authenticate: async () => fakeCaller,
    transport: {
      credentialOf: () => "",
      refuse: () => expect.fail("No right was lost."),
      toPayload: ({ data }) => {
        const item: unknown = data?.["item"];
        return typeof item === "string" ? item : "nothing";
      },
      isReady: ({ ready }) => ready === null,
      ready: async ({ ready }) => ready?.promise,
      opened: ({ name }) => void log.push(`${name} opened`),
      next: ({ name }, payload) => void log.push(`${name} ${payload}`),
      complete: ({ name }) => void log.push(`${name} complete`),
      toError: (error) => {
        log.push(`reported ${String(error)}`);
        return new GraphQLError("Unexpected error.");
      },
      fail: ({ name }, { message }) => void log.push(`${name} ${message}`),
    },
    open: async ({ note, streamPosition }) => {
      opened += 1;
      note?.({ operation: "Log", runId: "run_1" });
      const result = await open(opened);
      if (!("next" in result)) return result;
      const next = result.next.bind(result);
      // As every stream does, before it gives an item.
      return Object.assign(result, {
        next: () => {
          streamPosition?.audience(null);
          return next();
        },
      });
    },
    runAs: (told, work) => {
      facts.push({ ...told });
      work();
    },
  });
  const reader = (name: string): Reader => ({ name, ready: null });
  const subscribe = (one: Reader, note?: SubscribeRequest["note"], id = 1) => {
    const request = { query, variables: { id: fakeId("run", id) } };
    return streams.subscribe({ request, document, caller: fakeCaller, ...(note && { note }) }, one);
  };
  return { log, facts, streams, reader, subscribe, happened: () => log.splice(0) };
}

describe("a stream that is opened", () => {
  it("is announced once, works in the name of its operation, and notes that for the one who asked", async () => {
    const log: string[] = [];
    const { items, give } = execution(log);
    const { streams, subscribe, reader, facts, happened } = setup(async () => items);
    const noted: unknown[] = [];
    subscribe(reader("a"), (told) => void noted.push(told));
    await settle();
    expect(happened()).toEqual(["a opened"]);
    expect(facts).toEqual([{ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), operation: "Log", runId: "run_1" }]);
    expect(noted).toEqual([{ operation: "Log", runId: "run_1" }]);
    await give("one");
    expect([happened(), streams.sources]).toEqual([["a one"], 1]);
  });

  it("may be a result alone, which is the end", async () => {
    const { streams, subscribe, reader, happened, facts } = setup(async () => ({ data: { item: "refused" } }));
    subscribe(reader("a"));
    await settle();
    expect([happened(), streams.sources, facts]).toEqual([["a refused", "a complete"], 0, []]);
  });

  it("may fail, which is reported and ends it", async () => {
    const { streams, subscribe, reader, happened } = setup(async () => {
      throw new Error("It is broken.");
    });
    subscribe(reader("a"));
    await settle();
    expect(happened()).toEqual(["reported Error: It is broken.", "a Unexpected error."]);
    expect(streams.sources).toBe(0);
  });

  it("is closed at once, where its reader has left meanwhile", async () => {
    const log: string[] = [];
    const { items } = execution(log);
    const opening = Promise.withResolvers<OpenedStream>();
    const { streams, subscribe, reader, happened } = setup(() => opening.promise);
    const handle = subscribe(reader("a"));
    await settle();
    streams.leave(handle);
    expect(streams.sources).toBe(0);
    opening.resolve(items);
    await settle();
    expect([log, happened()]).toEqual([["returned"], []]);
  });
});

describe("those who ask for the same", () => {
  it("have one request id while one of them is there, and another one later", async () => {
    const log: string[] = [];
    const { streams, subscribe, reader, facts } = setup(async () => execution(log).items);
    const idsOf = (): (string | undefined)[] => facts.map(({ requestId }) => requestId);
    const first = subscribe(reader("a"));
    const second = subscribe(reader("b"));
    await settle();
    streams.leave(first);
    streams.leave(first);
    const third = subscribe(reader("c"));
    await settle();
    expect(new Set(idsOf()).size).toBe(1);
    for (const handle of [second, third]) streams.leave(handle);
    subscribe(reader("d"));
    await settle();
    expect(new Set(idsOf()).size).toBe(2);
  });

  it("have another request id after a stream that ended", async () => {
    const log: string[] = [];
    const ended = execution(log);
    const { subscribe, reader, facts } = setup(async (index) => (index === 1 ? ended : execution(log)).items);
    subscribe(reader("a"));
    await settle();
    await ended.end();
    subscribe(reader("b"));
    await settle();
    expect(new Set(facts.map(({ requestId }) => requestId)).size).toBe(2);
  });
});

describe("a stream with one reader", () => {
  it("is asked for nothing where that one leaves while it is slow", async () => {
    const log: string[] = [];
    const { items } = execution(log);
    const { streams, subscribe, reader } = setup(async () => items);
    const slow = reader("a");
    const ready = (slow.ready = Promise.withResolvers<void>());
    const handle = subscribe(slow);
    await settle();
    streams.leave(handle);
    slow.ready = null;
    ready.resolve();
    await settle();
    expect(log).toEqual(["returned"]);
  });

  it("is asked for nothing while that one is slow, and keeps its item until it is ready", async () => {
    const log: string[] = [];
    const { items, give } = execution(log);
    const { subscribe, reader, happened } = setup(async () => items);
    const slow = reader("a");
    slow.ready = Promise.withResolvers();
    subscribe(slow);
    await settle();
    expect([happened(), log]).toEqual([["a opened"], []]);
    const stall = (): PromiseWithResolvers<void> => (slow.ready = Promise.withResolvers<void>());
    const release = async (ready: PromiseWithResolvers<void>): Promise<void> => {
      slow.ready = null;
      ready.resolve();
      await settle();
    };
    await release(slow.ready);
    expect(log).toEqual(["asked"]);
    const again = stall();
    await give("one");
    expect(happened()).toEqual([]);
    await release(again);
    expect([happened(), log]).toEqual([["a one"], ["asked", "asked"]]);
  });

  it("ends with its execution, and with its error, which is reported", async () => {
    const log: string[] = [];
    const [first, second] = [execution(log), execution(log)];
    const { streams, subscribe, reader, happened } = setup(async (index) => (index === 1 ? first : second).items);
    subscribe(reader("a"));
    subscribe(reader("b"), undefined, 2);
    await settle();
    await first.end();
    await second.fail(new Error("It is broken."));
    expect(happened().slice(2)).toEqual(["a complete", "reported Error: It is broken.", "b Unexpected error."]);
    expect(streams.sources).toBe(0);
  });

  it("is closed when that one leaves, once, and gives it nothing more", async () => {
    const log: string[] = [];
    const { items, give } = execution(log);
    const { streams, subscribe, reader, happened } = setup(async () => items);
    const handle = subscribe(reader("a"));
    await settle();
    streams.leave(handle);
    streams.leave(handle);
    await give("late");
    expect([happened(), log, streams.sources]).toEqual([["a opened"], ["asked", "returned"], 0]);
  });
});
