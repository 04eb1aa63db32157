/** Sharing of subscriptions, over a log in memory: whatever happens in which order, everybody gets each line once. */
import { setImmediate } from "node:timers/promises";
import { type ExecutionResult, GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { createHub } from "../../../src/bus/hub.ts";
import { createTail } from "../../../src/bus/tail.ts";
import type { Tails } from "../../../src/bus/tails.ts";
import { writeCursor } from "../../../src/graphql/kit/cursor.ts";
import { logOf } from "../../../src/graphql/plan/log.ts";
import { prepareOperation } from "../../../src/graphql/server/operation.ts";
import { schema } from "../../../src/graphql/server/schema.ts";
import { createSharedStreams } from "../../../src/graphql/server/shared-streams.ts";
import type { StreamReader } from "../../../src/graphql/server/stream-source.ts";
import type { OpenedStream } from "../../../src/graphql/server/stream-transport.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import type { LogLine } from "../../../src/model/log/log.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import type { Data } from "../../support/api.ts";
import { createFakeDomain, fakeActor, fakeCaller, fakeId, fakeRun } from "../../support/fake-domain.ts";
import { createFakeTails } from "../../support/fake-tails.ts";
import { createTestGraphql } from "../../support/graphql.ts";
import { createRandom } from "../../support/random.ts";
import { rightsOfRole } from "../../support/rights.ts";

const run = fakeRun(1, { status: "APPLYING" });
const LOG = `subscription Log($id: ID!, $after: String, $tail: Int) {
  runLog(runId: $id, after: $after, tail: $tail) { ... on LogBatch { cursor lines { number } } } }`;

class Reader {
  /** What it has to come to: everything behind this line. */
  from: number;
  readonly numbers: number[] = [];
  readonly results: ExecutionResult[] = [];
  isReady = true;
  /** Messages since it was last ready. */
  unread = 0;
  ended = "";
  handle: StreamReader<Reader> | null = null;
  #waiting: (() => void)[] = [];

  constructor(from: number) {
    this.from = from;
  }

  stall(): void {
    this.isReady = false;
  }

  recover(): void {
    this.isReady = true;
    this.unread = 0;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  ready(): Promise<void> {
    return this.isReady ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  take(result: ExecutionResult): void {
    this.results.push(result);
    const { lines = [] }: Data = result.data?.["runLog"] ?? {};
    for (const { number } of lines) this.numbers.push(number);
    if (!this.isReady) this.unread += 1;
  }

  get last(): number {
    return this.numbers.at(-1) ?? this.from;
  }
}

/** A log that is read in pages of any size, with turns of others in between. */
function setup(seed: number) {
  const random = createRandom(seed);
  const hub = createHub();
  const log = { length: 0, ended: false, broken: false, unsent: false };
  let executions = 0;
  const failures: unknown[] = [];
  const line = (number: number): LogLine => ({
    number,
    at: "2026-11-20T16:07:25.447Z",
    phase: "PLAN",
    attempt: 1,
    stream: "STDOUT",
    text: "",
  });
  const tails: Tails = {
    ...createFakeTails().tails,
    lastLogLine: async () => log.length,
    runLog(runId, afterLine, onIdle) {
      let at = afterLine;
      return createTail<LogLine[]>({
        watch: hub.watch(`log:${runId}`),
        pollMs: 60_000,
        onIdle: () => onIdle?.(at),
        read: async () => {
          if (random.chance(0.5)) await setImmediate();
          if (log.broken) throw new Error("The log cannot be read.");
          const fresh = Math.min(log.length - at, 1 + random.below(4));
          const lines = Array.from({ length: fresh }, (_, index) => line(at + index + 1));
          at += fresh;
          const ended = log.ended && at === log.length;
          if (random.chance(0.5)) await setImmediate();
          return { items: fresh === 0 ? [] : [lines], ended };
        },
      });
    },
  };
  const { graphql, reported } = createTestGraphql({ domain: createFakeDomain({ runs: [run] }).domain, tails });
  const streams = createSharedStreams<Reader, ExecutionResult>({
    schema,
    authenticate: async () => fakeCaller,
    transport: {
      credentialOf: () => "",
      refuse: () => expect.fail("No right was lost."),
      toPayload: (result) => {
        executions += 1;
        if (log.unsent) throw new Error("It cannot be written.");
        return JSON.parse(JSON.stringify(result));
      },
      isReady: (reader) => reader.isReady,
      ready: (reader) => reader.ready(),
      opened: () => undefined,
      next: (reader, result) => reader.take(result),
      complete: (reader) => (reader.ended += "complete"),
      toError: (error) => {
        failures.push(error);
        return new GraphQLError("Unexpected error.");
      },
      fail: (reader) => (reader.ended += "failed"),
    },
    open: async (server, request) => {
      const operation = await prepareOperation(graphql, server, request);
      if (!("document" in operation)) return { errors: operation };
      const opened: OpenedStream | undefined = await operation.subscribe(operation);
      return opened ?? {};
    },
    runAs: (_facts, work) => work(),
  });
  const subscribe = async (
    reader: Reader,
    variables: Record<string, unknown>,
    { query = LOG, caller = fakeCaller }: { query?: string; caller?: ActorCaller } = {},
  ): Promise<Reader> => {
    const request = { query, variables: { id: run.id, ...variables } };
    const operation = await prepareOperation(graphql, { caller }, request);
    if (!("document" in operation)) throw new Error("It is refused.");
    reader.handle = streams.subscribe({ request, document: operation.document, caller }, reader);
    return reader;
  };
  return {
    random,
    hub,
    log,
    streams,
    reported,
    failures,
    subscribe,
    executions: () => executions,
    append(lines: number): void {
      log.length += lines;
      hub.signal(`log:${run.id}`);
    },
    leave: (reader: Reader): void => {
      if (reader.handle !== null) streams.leave(reader.handle);
    },
  };
}

function cursorOf(line: number): string {
  return writeCursor(logOf({ epoch: "" }, run.id), line);
}

/** Fulfilled once it holds; there is nothing here that takes time. */
async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns += 1) {
    if (turns > 5000) throw new Error("It does not come to hold.");
    await setImmediate();
  }
}

function countFrom(after: number, last: number): number[] {
  return Array.from({ length: last - after }, (_, index) => after + index + 1);
}

describe("readers of one log", () => {
  it.each(Array.from({ length: 25 }, (_, seed) => seed))("all get each line once, in order (seed %i)", async (seed) => {
    const scene = setup(seed);
    const { random, log, hub, streams } = scene;
    const all: Reader[] = [];
    const present: Reader[] = [];
    const join = async (): Promise<void> => {
      const before = log.length;
      const after = random.below(before + 1);
      const [reader, variables] = random.chance(0.5)
        ? [new Reader(after), { after: cursorOf(after) }]
        : [new Reader(0), {}];
      all.push(reader);
      present.push(await scene.subscribe(reader, variables));
    };
    const quit = (): void => {
      const [gone] = present.splice(random.below(present.length), 1);
      if (gone !== undefined) scene.leave(gone);
    };
    const steps: (() => unknown)[] = [
      join,
      quit,
      () => scene.append(1 + random.below(6)),
      () => scene.append(1),
      () => random.pick(present)?.stall(),
      () => random.pick(present)?.recover(),
      () => setImmediate(),
    ];
    for (let step = 0; step < 150; step += 1) {
      await random.pick(steps)?.();
      if (random.chance(0.4)) await setImmediate();
    }
    while (present.length < 3) await join();
    scene.append(1);
    for (const reader of present) reader.recover();
    await until(() => present.every(({ last }) => last === log.length));
    for (const reader of all) expect(reader.numbers).toEqual(countFrom(reader.from, reader.last));
    // In the end they are all served by one.
    await until(() => streams.sources === 1);
    const before = scene.executions();
    scene.append(1);
    await until(() => present.every(({ last }) => last === log.length));
    expect(scene.executions()).toBe(before + 1);
    for (const reader of present.splice(1)) scene.leave(reader);
    log.ended = true;
    scene.append(3);
    await until(() => present.every(({ ended }) => ended === "complete"));
    expect(present[0]?.last).toBe(log.length);
    expect([streams.sources, hub.size]).toEqual([0, 0]);
    expect(scene.reported).toEqual([]);
  });

  it("one that does not read holds one message, and no source", async () => {
    const scene = setup(1);
    const [slow, quick] = [new Reader(0), new Reader(0)];
    for (const reader of [slow, quick]) await scene.subscribe(reader, {});
    scene.append(1);
    await until(() => slow.last === 1 && quick.last === 1 && scene.streams.sources === 1);
    slow.stall();
    for (let line = 2; line < 50; line += 1) {
      scene.append(1);
      await until(() => quick.last === line);
    }
    expect([slow.unread, scene.streams.sources, scene.hub.size]).toEqual([0, 1, 1]);
    slow.recover();
    await until(() => slow.last === 49 && scene.streams.sources === 1);
    expect(slow.numbers).toEqual(countFrom(0, 49));
  });

  it("what is wrong with the beginning of one is nothing to those who read the same", async () => {
    const scene = setup(5);
    const wrong = await scene.subscribe(new Reader(0), { tail: "ten" });
    const readers = [await scene.subscribe(new Reader(0), {}), await scene.subscribe(new Reader(0), {})];
    scene.append(1);
    await until(() => wrong.ended !== "" && readers.every(({ last }) => last === 1) && scene.streams.sources === 1);
    const [slow, quick] = readers;
    slow?.stall();
    scene.append(1);
    await until(() => quick?.last === 2);
    slow?.recover();
    await until(() => slow?.last === 2 || slow?.ended !== "");
    expect([slow?.numbers, slow?.ended]).toEqual([[1, 2], ""]);
  });

  it("an error is everybody's, and is reported once", async () => {
    const scene = setup(2);
    const readers = [new Reader(0), new Reader(0), new Reader(0)];
    for (const reader of readers) await scene.subscribe(reader, {});
    scene.append(1);
    await until(() => scene.streams.sources === 1 && readers.every(({ last }) => last === 1));
    scene.log.broken = true;
    scene.append(1);
    await until(() => readers.every(({ ended }) => ended === "complete"));
    const errors = readers.map(({ results }) => results.at(-1)?.errors);
    expect(errors[0]).toMatchObject([{ message: "Unexpected error.", extensions: { code: "INTERNAL" } }]);
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(scene.reported).toHaveLength(1);
  });

  it("what fails otherwise ends it for all, and is reported once", async () => {
    const scene = setup(6);
    const readers = [await scene.subscribe(new Reader(0), {}), await scene.subscribe(new Reader(0), {})];
    await until(() => scene.streams.sources === 1);
    scene.log.unsent = true;
    scene.append(1);
    await until(() => readers.every(({ ended }) => ended === "failed"));
    expect([scene.failures.length, scene.streams.sources, scene.hub.size]).toEqual([1, 0, 0]);
  });

  it("what is refused is one result, and the end", async () => {
    const scene = setup(3);
    const reader = await scene.subscribe(new Reader(0), { id: fakeId("run", 99) });
    await until(() => reader.ended !== "");
    expect(reader.results).toMatchObject([{ errors: [{ extensions: { code: "NOT_FOUND" } }] }]);
    expect([reader.ended, scene.streams.sources]).toEqual(["complete", 0]);
  });
});

describe("an execution is shared", () => {
  const other: ActorCaller = {
    ...fakeCaller,
    credentialId: fakeId("tok", 2),
    actor: { ...fakeActor, id: fakeId("usr", 2) },
  };
  const cases: [string, number, { query?: string; caller?: ActorCaller; variables?: Record<string, unknown> }][] = [
    ["by another actor of the same role", 1, { caller: other }],
    ["wherever a reader begins", 1, { variables: { after: cursorOf(0) } }],
    ["by another role that may see the same of it", 1, { caller: { ...other, rights: rightsOfRole("READER") } }],
    ["with a caller that may see nothing of it", 1, { caller: { ...other, rights: rightsOf([]) } }],
    ["not with another document", 2, { query: LOG.replace("number", "number text") }],
    [
      "not with other variables",
      2,
      {
        query: LOG.replace("$tail: Int", "$tail: Int, $x: Boolean!").replace("lines {", "lines @skip(if: $x) {"),
        variables: { x: false },
      },
    ],
  ];
  it.each(cases)("%s", async (_name, sources, { query, caller, variables }) => {
    const scene = setup(4);
    scene.append(1);
    await scene.subscribe(new Reader(0), {});
    await scene.subscribe(new Reader(0), variables ?? {}, { ...(query && { query }), ...(caller && { caller }) });
    await until(() => scene.streams.sources === sources);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(scene.streams.sources).toBe(sources);
  });
});
