import { describe, expect, test } from "vitest";

import { itemStream } from "../../src/graphql/stream/item-stream.ts";
import { readCursor, numberPosition, writeCursor } from "../../src/graphql/kit/cursor.ts";
import type { LogLine } from "../../src/model/log/log.ts";
import { createFakeDomain, fakeCaller, fakeId, fakeRun, fakeStatusEvent } from "../support/fake-domain.ts";
import { createFakeTails } from "../support/fake-tails.ts";
import { createTestGraphql } from "../support/graphql.ts";

const run = fakeRun(1, { status: "PLANNING", version: 5 });
const ended = fakeRun(2, { status: "FINISHED", outcome: "APPLIED", version: 9 });
const list = `events of ${run.id}`;

const EVENTS = `subscription ($runId: ID!, $after: String) {
  runEvents(runId: $runId, after: $after) {
    __typename
    ... on StreamItem { cursor }
    ... on RunSnapshot { run { status version } }
    ... on RunEvent { version actor { name } run { status } }
    ... on RunStatusChanged { to }
    ... on CursorExpired { message }
  }
}`;
const LOG = `subscription ($runId: ID!, $after: String, $tail: Int, $phases: [PhaseKind!], $streams: [LogStream!]) {
  runLog(runId: $runId, after: $after, tail: $tail, phases: $phases, streams: $streams) {
    __typename
    ... on LogBatch { cursor lines { number phase text } }
  }
}`;

function setup(lastLine = 0) {
  const fake = createFakeDomain({ runs: [run, ended] });
  const fed = createFakeTails(lastLine);
  return { ...fake, ...fed, ...createTestGraphql({ domain: fake.domain, tails: fed.tails }) };
}

/** What is under way is under way after this. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function line(number: number, phase: LogLine["phase"] = "PLAN"): LogLine {
  return { number, at: "2026-11-20T16:07:25.447Z", phase, attempt: 1, stream: "STDOUT", text: `line ${number}` };
}

describe("runEvents", () => {
  test("begins with the run, then tells what follows it", async () => {
    const { subscribe, events, content } = setup();
    const stream = await subscribe(EVENTS, { runId: run.id });
    const cursor = writeCursor(list, 5);
    expect((await stream.next()).value.data).toEqual({
      runEvents: { __typename: "RunSnapshot", cursor, run: { status: "PLANNING", version: 5 } },
    });
    expect(events[0]?.after).toBe(5);

    const next = stream.next();
    await turn();
    content.runs = [{ ...run, status: "APPLYING" }];
    events[0]?.push(fakeStatusEvent({ ...run, status: "CONFIRMED" }, 6));
    expect((await next).value.data).toEqual({
      runEvents: {
        __typename: "RunStatusChanged",
        cursor: writeCursor(list, 6),
        version: 6,
        actor: { name: "Ada" },
        run: { status: "APPLYING" },
        to: "CONFIRMED",
      },
    });
    events[0]?.end();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("reads afresh for each item", async () => {
    const { subscribe, events, content } = setup();
    const stream = await subscribe(EVENTS, { runId: run.id, after: writeCursor(list, 5) });
    for (const status of ["CONFIRMED", "PREPARING", "APPLYING"] as const) {
      content.runs = [{ ...run, status }];
      events[0]?.push(fakeStatusEvent(run, 6));
      expect((await stream.next()).value.data).toMatchObject({ runEvents: { run: { status } } });
    }
    await stream.return?.();
  });

  test("goes on after a cursor, also one of the history", async () => {
    const { subscribe, request, events, content } = setup();
    content.events = [fakeStatusEvent(run, 1), fakeStatusEvent(run, 2)];
    const history = await request("query ($id: ID!) { run(id: $id) { events(first: 1) { edges { cursor } } } }", {
      id: run.id,
    });
    const after = writeCursor(list, 1);
    expect(history.data).toEqual({ run: { events: { edges: [{ cursor: after }] } } });
    const stream = await subscribe(EVENTS, { runId: run.id, after });
    expect(events[0]?.after).toBe(1);
    await stream.return?.();
  });

  test("of a run that has ended completes after the snapshot, and at once where nothing is left", async () => {
    const { subscribe, events } = setup();
    const stream = await subscribe(EVENTS, { runId: ended.id });
    expect((await stream.next()).value.data).toMatchObject({ runEvents: { run: { status: "FINISHED" } } });
    expect((await stream.next()).done).toBe(true);
    const resumed = await subscribe(EVENTS, { runId: ended.id, after: writeCursor(`events of ${ended.id}`, 9) });
    expect((await resumed.next()).done).toBe(true);
    expect(events).toEqual([]);
  });

  test.each([
    ["malformed", "?"],
    ["of another run", writeCursor(`events of ${ended.id}`, 1)],
    ["of its log", writeCursor(`log of ${run.id}`, 1)],
    ["from the future", writeCursor(list, 6)],
  ])("with a cursor %s says so and completes", async (_what, after) => {
    const { subscribe, events } = setup();
    const stream = await subscribe(EVENTS, { runId: run.id, after });
    expect((await stream.next()).value.data).toMatchObject({ runEvents: { __typename: "CursorExpired" } });
    expect((await stream.next()).done).toBe(true);
    expect(events).toEqual([]);
  });

  test.each([fakeId("run", 99), fakeId("ws", 1), "nonsense", ""])("of nothing is NOT_FOUND: %s", async (runId) => {
    const { subscribe, reported } = setup();
    const stream = await subscribe(EVENTS, { runId });
    const { value } = await stream.next();
    expect(value.errors?.[0]?.extensions).toEqual({ code: "NOT_FOUND" });
    expect(reported).toEqual([]);
  });

  test("that is closed while it waits leaves nothing behind", async () => {
    const { subscribe, events } = setup();
    const stream = await subscribe(EVENTS, { runId: run.id, after: writeCursor(list, 5) });
    const waiting = stream.next();
    await turn();
    expect(events[0]?.waiting()).toBe(1);
    await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(events[0]?.returned).toBe(true);
    expect(events[0]?.waiting()).toBe(0);
  });

  test("whose tail breaks ends with a masked error, and the stream itself does not throw", async () => {
    const { subscribe, events, reported } = setup();
    const stream = await subscribe(EVENTS, { runId: run.id, after: writeCursor(list, 5) });
    const waiting = stream.next();
    await turn();
    events[0]?.fail(new Error("password=1"));
    const { value } = await waiting;
    expect(value.errors?.[0]?.message).toBe("Unexpected error.");
    expect(value.errors?.[0]?.extensions).toEqual({ code: "INTERNAL", errorId: reported[0]?.errorId });
    expect(reported).toHaveLength(1);
    expect((await stream.next()).done).toBe(true);
    expect(events[0]?.returned).toBe(true);
  });

  test("works as server-sent events too", async () => {
    const { graphql, events } = setup();
    const abort = new AbortController();
    const response = await graphql.fetch(
      "http://test/graphql",
      {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ query: EVENTS, variables: { runId: run.id } }),
        signal: abort.signal,
      },
      { caller: fakeCaller },
    );
    const reader = response.body?.getReader();
    let text = "";
    while (reader !== undefined && !text.includes("RunSnapshot")) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    expect(text).toContain("RunSnapshot");
    await reader?.cancel();
    await turn();
    expect(events[0]?.returned).toBe(true);
  });
});

describe("runLog", () => {
  test("sends batches with the number of their last line as cursor", async () => {
    const { subscribe, logs } = setup();
    const stream = await subscribe(LOG, { runId: run.id });
    logs[0]?.push([line(1), line(2)]);
    const { value } = await stream.next();
    expect(logs[0]?.after).toBe(0);
    expect(value.data).toMatchObject({
      runLog: { cursor: writeCursor(`log of ${run.id}`, 2), lines: [{ number: 1 }, { number: 2 }] },
    });
    await stream.return?.();
  });

  test.each([
    [{ tail: 10 }, 90],
    [{ tail: 0 }, 100],
    [{ tail: 1000 }, 0],
    [{ after: writeCursor(`log of ${run.id}`, 40) }, 40],
  ])("begins where it is asked to: %o", async (where, after) => {
    const { subscribe, logs } = setup(100);
    const stream = await subscribe(LOG, { runId: run.id, ...where });
    expect(logs[0]?.after).toBe(after);
    await stream.return?.();
  });

  test("with phases leaves out the others, and its cursor passes over them", async () => {
    const { subscribe, logs } = setup();
    const stream = await subscribe(LOG, { runId: run.id, phases: ["PLAN"] });
    logs[0]?.push([line(1, "INIT")]);
    logs[0]?.push([line(2, "INIT"), line(3, "PLAN"), line(4, "INIT")]);
    const { value } = await stream.next();
    const shown = JSON.stringify(value.data);
    expect(shown).toContain('"number":3');
    expect(shown).not.toContain("INIT");
    const [cursor = ""] = /(?<="cursor":")[^"]+/.exec(shown) ?? [];
    expect(readCursor(`log of ${run.id}`, cursor, numberPosition)).toBe(4);
    await stream.return?.();
  });

  test("with streams leaves out what others wrote", async () => {
    const { subscribe, logs } = setup();
    const stream = await subscribe(LOG, { runId: run.id, streams: ["STDERR", "RUNNER"] });
    logs[0]?.push([line(1), { ...line(2), stream: "STDERR" }, line(3), { ...line(4), stream: "RUNNER" }]);
    const { value } = await stream.next();
    expect(value.data).toMatchObject({ runLog: { lines: [{ number: 2 }, { number: 4 }] } });
    await stream.return?.();
  });

  test.each([[{ tail: -1 }], [{ tail: 1, after: writeCursor(`log of ${run.id}`, 1) }]])(
    "refuses arguments that make no sense: %o",
    async (args) => {
      const { subscribe } = setup(10);
      const { value } = await (await subscribe(LOG, { runId: run.id, ...args })).next();
      expect(value.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["tail"] }] });
    },
  );

  test("with a cursor beyond the end starts over", async () => {
    const { subscribe, logs } = setup(10);
    const stream = await subscribe(LOG, { runId: run.id, after: writeCursor(`log of ${run.id}`, 11) });
    expect((await stream.next()).value.data).toEqual({ runLog: { __typename: "CursorExpired" } });
    expect((await stream.next()).done).toBe(true);
    expect(logs).toEqual([]);
  });
});

describe("an item stream", () => {
  test("wakes whoever waits, even where its tail does not", async () => {
    const deaf: AsyncIterableIterator<number> = {
      next: () => new Promise(() => {}),
      return: () => new Promise(() => {}),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    const stream = itemStream<number, number>({
      first: [],
      tail: deaf,
      toItem: (row) => row,
      accessOf: () => null,
      audience: { of: () => [fakeCaller] },
      toFailure: () => -1,
      beforeItem: () => {},
    });
    const both = Promise.all([stream.next(), stream.next()]);
    await turn();
    expect(await stream.return?.()).toEqual({ done: true, value: undefined });
    expect(await both).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("keeps the order of its items for readers that do not wait", async () => {
    const { tails, logs } = createFakeTails();
    const stream = itemStream<LogLine[], number>({
      first: [{ item: 0, access: null }],
      tail: tails.runLog(run.id, 0),
      toItem: (rows) => rows[0]?.number ?? null,
      accessOf: () => null,
      audience: { of: () => [fakeCaller] },
      toFailure: () => -1,
      beforeItem: () => {},
    });
    const three = Promise.all([stream.next(), stream.next(), stream.next()]);
    for (const number of [1, 2]) logs[0]?.push([line(number)]);
    expect((await three).map(({ value }) => value)).toEqual([0, 1, 2]);
    await stream.return?.();
  });
});
