/** The exact positions at which a shared stream takes a reader over, cuts what it has, and lets it go. */
import { setImmediate } from "node:timers/promises";
import { type ExecutionResult, GraphQLError, parse } from "graphql";
import { describe, expect, it } from "vitest";
import type { StreamPosition } from "../../../src/graphql/kit/stream-position.ts";
import { schema } from "../../../src/graphql/server/schema.ts";
import { createSharedStreams } from "../../../src/graphql/server/shared-streams.ts";
import { fakeCaller, fakeId } from "../../support/fake-domain.ts";

const query = "subscription ($id: ID!) { runLog(runId: $id) { __typename } }";
const request = { query, variables: { id: fakeId("run", 1) } };
const document = parse(query);
const EPOCH = "first";

interface Reader {
  received: unknown[];
  /** How often it was told that its stream is open. */
  opened: number;
  ended: boolean;
  /** `null`: it takes what it is sent. */
  stalled: PromiseWithResolvers<void> | null;
  leave(): void;
}

/** An execution whose items and positions the test gives. */
interface Execution {
  readonly start: StreamPosition["start"];
  /** It has given everything up to here, and waits for more. */
  idle(position: number, epoch?: string): Promise<void>;
  /** Gives an item, behind which it has given everything up to here. */
  give(item: string, position: number): Promise<void>;
  end(): Promise<void>;
}

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
}

function setup() {
  const executions: Execution[] = [];
  const streams = createSharedStreams<Reader, unknown>({
    schema,
    authenticate: async () => fakeCaller,
    transport: {
      credentialOf: () => "",
      refuse: () => expect.fail("No right was lost."),
      toPayload: ({ data }) => data?.["item"],
      isReady: ({ stalled }) => stalled === null,
      ready: async ({ stalled }) => stalled?.promise,
      opened: (reader) => (reader.opened += 1),
      next: ({ received }, payload) => received.push(payload),
      complete: (reader) => (reader.ended = true),
      toError: (error) => new GraphQLError(String(error)),
      fail: (_reader, error) => expect.fail(error.message),
    },
    open: async ({ streamPosition }) => {
      if (streamPosition === undefined) return expect.fail("A stream has a position.");
      const asked: PromiseWithResolvers<IteratorResult<ExecutionResult>>[] = [];
      const answer = async (result: IteratorResult<ExecutionResult>): Promise<void> => {
        const question = asked.shift() ?? expect.fail("Nothing was asked of the execution.");
        question.resolve(result);
        await settle();
      };
      executions.push({
        start: streamPosition.start,
        async idle(position, epoch = EPOCH) {
          streamPosition.current = { epoch, position };
          streamPosition.onIdle();
          await settle();
        },
        async give(item, position) {
          streamPosition.current = { epoch: EPOCH, position };
          streamPosition.audience(null);
          await answer({ done: false, value: { data: { item } } });
        },
        end: () => answer({ done: true, value: undefined }),
      });
      const items: AsyncIterableIterator<ExecutionResult> = {
        next() {
          const question = Promise.withResolvers<IteratorResult<ExecutionResult>>();
          asked.push(question);
          return question.promise;
        },
        return: () => Promise.resolve({ done: true, value: undefined }),
        [Symbol.asyncIterator]: () => items,
      };
      return items;
    },
    runAs: (_facts, work) => work(),
  });
  const subscribeAtOnce = (): Reader => {
    const leave = (): void => streams.leave(handle);
    const reader: Reader = { received: [], opened: 0, ended: false, stalled: null, leave };
    const handle = streams.subscribe({ request, document, caller: fakeCaller }, reader);
    return reader;
  };
  return {
    streams,
    executions,
    subscribeAtOnce,
    subscribe: async (): Promise<Reader> => {
      const reader = subscribeAtOnce();
      await settle();
      return reader;
    },
    execution: (index: number): Execution => executions[index] ?? expect.fail(`There is no execution ${index}.`),
  };
}

/** Two readers of one shared execution, which has given everything up to 3; the second one has everything up to 5. */
async function handedOver() {
  const scene = setup();
  const [first, second] = [await scene.subscribe(), await scene.subscribe()];
  await scene.execution(0).idle(3);
  await scene.execution(1).idle(5);
  expect([scene.executions.length, scene.streams.sources]).toEqual([2, 1]);
  return { ...scene, first, second, shared: scene.execution(0) };
}

describe("a reader of a shared stream", () => {
  it("is not handed over to an execution of another epoch, whose positions mean other items", async () => {
    const { subscribe, execution, executions, streams } = setup();
    const [before, after] = [await subscribe(), await subscribe()];
    await execution(0).idle(3, "before the restore");
    await execution(1).idle(5, "after the restore");
    expect([executions.length, streams.sources]).toEqual([2, 2]);
    await execution(1).give("six", 6);
    expect([before.received, after.received]).toEqual([[], ["six"]]);
  });

  it("is not handed over to an execution that has given more", async () => {
    const { subscribe, execution, streams } = setup();
    const late = [await subscribe(), await subscribe()][1];
    await execution(0).idle(3);
    await execution(1).idle(2);
    expect(streams.sources).toBe(2);
    await execution(1).give("three", 3);
    expect([late?.received, streams.sources]).toEqual([["three"], 1]);
  });

  it("is sent nothing that it has, and stays with the shared execution", async () => {
    const { first, second, shared, executions, streams } = await handedOver();
    await shared.give("four", 4);
    await shared.give("five", 5);
    expect([first.received, second.received]).toEqual([["four", "five"], []]);
    await shared.give("six", 6);
    expect([first.received, second.received]).toEqual([["four", "five", "six"], ["six"]]);
    expect([executions.length, streams.sources]).toEqual([2, 1]);
  });

  it("goes on alone behind what it has, where a shared item holds a part of that", async () => {
    const { first, second, shared, execution, executions, streams } = await handedOver();
    await shared.give("four to six", 6);
    expect([first.received, second.received]).toEqual([["four to six"], []]);
    expect([executions.length, execution(2).start]).toEqual([3, { epoch: EPOCH, position: 5 }]);
    await execution(2).give("six", 6);
    expect([second.received, second.opened, streams.sources]).toEqual([["six"], 1, 1]);
  });

  it("goes on alone though no one else is left there", async () => {
    const { first, second, shared, execution, streams } = await handedOver();
    first.leave();
    await shared.give("four to six", 6);
    expect([streams.sources, execution(2).start]).toEqual([1, { epoch: EPOCH, position: 5 }]);
    await execution(2).give("six", 6);
    expect([first.received, second.received]).toEqual([[], ["six"]]);
  });

  it("goes on alone behind what it was sent, once it takes more", async () => {
    const { second, shared, execution, executions } = await handedOver();
    await shared.give("four and five", 5);
    await shared.give("six", 6);
    const stalled = (second.stalled = Promise.withResolvers<void>());
    await shared.give("seven", 7);
    expect([second.received, executions.length]).toEqual([["six"], 2]);
    second.stalled = null;
    stalled.resolve();
    await settle();
    expect(execution(2).start).toEqual({ epoch: EPOCH, position: 6 });
  });

  it("is not read for, where it leaves before it takes more", async () => {
    const { second, shared, executions, streams } = await handedOver();
    await shared.give("four and five", 5);
    const stalled = (second.stalled = Promise.withResolvers<void>());
    await shared.give("six", 6);
    second.leave();
    stalled.resolve();
    await settle();
    expect([executions.length, streams.sources]).toEqual([2, 1]);
  });

  it("is not handed over to an execution whose reader has left", async () => {
    const { subscribe, execution, streams } = setup();
    const [gone, present] = [await subscribe(), await subscribe()];
    gone.leave();
    await execution(0).idle(3);
    await execution(1).idle(3);
    expect(streams.sources).toBe(1);
    await execution(1).give("four", 4);
    expect(present.received).toEqual(["four"]);
  });

  it("goes on alone where the shared execution ends before what it has", async () => {
    const { first, second, shared, execution, streams } = await handedOver();
    await shared.end();
    expect([first.ended, second.ended]).toEqual([true, false]);
    expect(execution(2).start).toEqual({ epoch: EPOCH, position: 5 });
    await execution(2).end();
    expect([second.ended, streams.sources]).toEqual([true, 0]);
  });

  it("ends with the shared execution that has given all that it has", async () => {
    const { first, second, shared, executions, streams } = await handedOver();
    await shared.give("four and five", 5);
    await shared.end();
    expect([first.ended, second.ended]).toEqual([true, true]);
    expect([executions.length, streams.sources]).toEqual([2, 0]);
  });
});

describe("many readers of one item", () => {
  it("let others have a turn after each thousand", async () => {
    const { subscribeAtOnce, executions, execution, streams } = setup();
    const readers = Array.from({ length: 1001 }, subscribeAtOnce);
    await settle();
    const idle = executions.map((one) => one.idle(3));
    await Promise.all(idle);
    expect(streams.sources).toBe(1);
    const served = (): number => readers.filter(({ received }) => received.length === 1).length;
    const given = execution(0).give("four", 4);
    await setImmediate();
    expect(served()).toBe(1000);
    await given;
    expect(served()).toBe(1001);
  });
});
