import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { LOG_STREAMS, type LogLine } from "../../src/model/log/log.ts";
import type { PageRequest } from "../../src/model/kit/page.ts";
import { listLogLines, type LogSelection, readLogAfter } from "../../src/persistence/log/log-page-store.ts";
import { appendLog, lastLogLine, type LogBatch } from "../../src/persistence/log/log-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let runId: string;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores[Symbol.asyncDispose]());

beforeEach(async () => {
  const run = await stores.addRun(await stores.addWorkspace());
  runId = run.id;
});

function batch(firstLine: number, texts: string[], phase: LogBatch["phase"] = "PLAN", attempt = 1): LogBatch {
  return { phase, attempt, firstLine, lines: texts.map((text) => ({ at: AT, text })) };
}

const append = (given: LogBatch) => stores.database.transaction((tx) => appendLog(tx, runId, given, AT));
const FROM_START: PageRequest<number> = { limit: 5000, direction: "forward", after: null, before: null };
const list = (page: Partial<PageRequest<number>> = {}, phase: LogSelection["phase"] = null) =>
  listLogLines(stores.database, { runId, phase }, { ...FROM_START, ...page });
const texts = (lines: LogLine[]): string[] => lines.map(({ text }) => text);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("lines are numbered from 1 without gaps, and come back as they were", async () => {
  expect(await lastLogLine(stores.database, runId)).toBe(0);
  expect(await append(batch(1, ["one\twith\ttabs", ""], "INIT"))).toEqual({ ok: true, nextLine: 3 });
  expect(await append(batch(3, ["  ünïcode 🟢 "], "PLAN", 2))).toEqual({ ok: true, nextLine: 4 });
  expect(await lastLogLine(stores.database, runId)).toBe(3);
  expect((await list()).items).toEqual([
    { number: 1, at: AT, phase: "INIT", attempt: 1, stream: "STDOUT", text: "one\twith\ttabs" },
    { number: 2, at: AT, phase: "INIT", attempt: 1, stream: "STDOUT", text: "" },
    { number: 3, at: AT, phase: "PLAN", attempt: 2, stream: "STDOUT", text: "  ünïcode 🟢 " },
  ]);
});

test("the same lines again are taken as done, whenever they come and in whichever batches", async () => {
  await append(batch(1, ["a", "b"]));
  await append(batch(3, ["c"]));
  expect(await append(batch(3, ["c"]))).toEqual({ ok: true, nextLine: 4 });
  expect(await append(batch(1, ["a", "b"]))).toEqual({ ok: true, nextLine: 3 });
  expect(await append(batch(2, ["b"]))).toEqual({ ok: true, nextLine: 3 });
  expect(await append(batch(2, ["b", "c"]))).toEqual({ ok: true, nextLine: 4 });
  expect(texts((await list()).items)).toEqual(["a", "b", "c"]);
});

test("lines that fill the log of their phase, or of their run, to the last byte are stored, and none after them", async () => {
  const used = (bytes: number, phaseBytes: number) =>
    stores.database.sql
      .updateTable("log_head")
      .set({ bytes, phase_bytes: JSON.stringify({ "PLAN:1": phaseBytes }) })
      .where("run_id", "=", runId)
      .execute();
  await used(0, LIMITS.logPhaseBytes - 2);
  expect(await append(batch(1, ["a"]))).toEqual({ ok: true, nextLine: 2 });
  await used(0, LIMITS.logPhaseBytes - 1);
  expect(await append(batch(2, ["b"]))).toEqual({ ok: false, nextLine: 2, full: "PHASE" });
  await used(LIMITS.logRunBytes - 2, 0);
  expect(await append(batch(2, ["b"]))).toEqual({ ok: true, nextLine: 3 });
  await used(LIMITS.logRunBytes - 1, 0);
  expect(await append(batch(3, ["c"]))).toEqual({ ok: false, nextLine: 3, full: "RUN" });
});

test("a gap, an overlap and other words at taken numbers are refused, and nothing is stored", async () => {
  await append(batch(1, ["a", "b"]));
  await append(batch(3, ["c", "d"]));
  const refused = { ok: false, nextLine: 5 };
  expect(await append(batch(6, ["x"]))).toEqual(refused);
  expect(await append(batch(4, ["d", "x"]))).toEqual(refused);
  expect(await append(batch(3, ["c", "x"]))).toEqual(refused);
  expect(await append(batch(1, ["a", "b", "x", "d"]))).toEqual(refused);
  expect(await append(batch(1, ["c", "d", "x", "y"]))).toEqual(refused);
  expect(texts((await list()).items)).toEqual(["a", "b", "c", "d"]);
});

test("a run whose log was never opened takes no line", async () => {
  const nobody = stores.newId("run");
  const result = await stores.database.transaction((tx) => appendLog(tx, nobody, batch(1, ["a"]), AT));
  expect(result).toEqual({ ok: false, nextLine: 1 });
});

test("of several connections that append at the same number, one wins", async () => {
  const results = await Promise.all(range(1, 8).map((writer) => append(batch(1, [`writer ${writer}`, "second"]))));
  expect(results.filter(({ ok }) => ok)).toEqual([{ ok: true, nextLine: 3 }]);
  expect(results.filter(({ ok }) => !ok)).toEqual(Array.from({ length: 7 }, () => ({ ok: false, nextLine: 3 })));
  const winner = results.findIndex(({ ok }) => ok) + 1;
  expect(texts((await list()).items)).toEqual([`writer ${winner}`, "second"]);
});

test("of several connections that append the same, all are content and it is stored once", async () => {
  const results = await Promise.all(range(1, 8).map(() => append(batch(1, ["a", "b"]))));
  expect(results).toEqual(Array.from({ length: 8 }, () => ({ ok: true, nextLine: 3 })));
  expect(texts((await list()).items)).toEqual(["a", "b"]);
});

test("a transaction that is rolled back leaves the number free", async () => {
  const broken = stores.database.transaction(async (tx) => {
    await appendLog(tx, runId, batch(1, ["lost"]), AT);
    throw new Error("rolled back");
  });
  await expect(broken).rejects.toThrow("rolled back");
  expect(await append(batch(1, ["kept"]))).toEqual({ ok: true, nextLine: 2 });
});

test("pages of 5,000 lines over hundreds of batches, from both ends and out of the middle", async () => {
  const size = 37;
  const count = 330;
  await stores.database.transaction(async (tx) => {
    for (let index = 0; index < count; index++) {
      const first = index * size + 1;
      const lines = range(first, first + size - 1).map((number) => `line ${number}`);
      await appendLog(tx, runId, batch(first, lines, "PLAN", index < 200 ? 1 : 2), AT);
    }
  });
  const last = size * count;
  const numbers = async (page: Partial<PageRequest<number>>, phase: LogSelection["phase"] = null) => {
    const { items, ...more } = await list(page, phase);
    for (const { number, text } of items) expect(text).toBe(`line ${number}`);
    return { first: items[0]?.number, last: items.at(-1)?.number, count: items.length, ...more };
  };
  const forward = (after: number | null) => numbers({ after });
  expect(await forward(null)).toEqual({ first: 1, last: 5000, count: 5000, hasNextPage: true, hasPreviousPage: false });
  expect(await forward(5000)).toEqual({
    first: 5001,
    last: 10_000,
    count: 5000,
    hasNextPage: true,
    hasPreviousPage: true,
  });
  expect(await forward(10_000)).toEqual({
    first: 10_001,
    last,
    count: last - 10_000,
    hasNextPage: false,
    hasPreviousPage: true,
  });
  expect(await forward(last)).toMatchObject({ count: 0, hasNextPage: false });

  const backward = { direction: "backward" } as const;
  expect(await numbers(backward)).toEqual({
    first: last - 4999,
    last,
    count: 5000,
    hasNextPage: false,
    hasPreviousPage: true,
  });
  expect(await numbers({ ...backward, before: 101 })).toEqual({
    first: 1,
    last: 100,
    count: 100,
    hasNextPage: true,
    hasPreviousPage: false,
  });
  expect(await numbers({ after: 99, before: 102 })).toMatchObject({ first: 100, last: 101, count: 2 });
  expect(await numbers({ ...backward, limit: 10, after: 99, before: 9000 })).toMatchObject({ first: 8990, last: 8999 });

  const second = { kind: "PLAN", attempt: 2 };
  const from = 200 * size + 1;
  expect(await numbers({ limit: 5 }, second)).toMatchObject({ first: from, last: from + 4, hasNextPage: true });
  expect(await numbers({ ...backward, before: from + 3 }, second)).toMatchObject({
    first: from,
    last: from + 2,
    count: 3,
  });
  expect(await numbers({}, { kind: "APPLY", attempt: 1 })).toMatchObject({ count: 0, hasNextPage: false });

  const tail = await readLogAfter(stores.database, runId, last - 3, 1_000_000);
  expect(tail.map(({ number }) => number)).toEqual([last - 2, last - 1, last]);
});

test("any page of any window has the lines that it should have", async () => {
  const all: LogLine[] = [];
  // More batches than are read at once.
  const sizes = Array.from({ length: 9 }, () => [1, 7, 2, 30, 1, 12, 5]).flat();
  for (const [index, size] of sizes.entries()) {
    const lines = range(1, size).map((number) => ({
      at: AT,
      text: `${index}.${number}`,
      stream: LOG_STREAMS[(number * 7 + index) % LOG_STREAMS.length] ?? "STDOUT",
    }));
    const [phase, attempt] = index % 3 === 0 ? (["PLAN", 1] as const) : (["APPLY", (index % 2) + 1] as const);
    const firstLine = all.length + 1;
    await append({ phase, attempt, firstLine, lines });
    all.push(...lines.map((line, at) => ({ ...line, number: firstLine + at, phase, attempt })));
  }
  const position = fc.option(fc.nat(all.length + 3));
  const asked = fc.record({
    direction: fc.constantFrom("forward" as const, "backward" as const),
    limit: fc.oneof(fc.nat(20), fc.nat(all.length + 1)),
    after: position,
    before: position,
    phase: fc.constantFrom(null, { kind: "PLAN", attempt: 1 }, { kind: "APPLY", attempt: 2 }),
    streams: fc.option(fc.subarray([...LOG_STREAMS])),
  });
  const property = fc.asyncProperty(asked, async ({ phase, streams, ...page }) => {
    const { direction, limit, after, before } = page;
    const wanted = all
      .filter(({ number }) => number > (after ?? 0) && number < (before ?? Infinity))
      .filter((line) => phase === null || (line.phase === phase.kind && line.attempt === phase.attempt))
      .filter(({ stream }) => streams === null || streams.includes(stream));
    const forward = direction === "forward";
    const more = wanted.length > limit;
    expect(await listLogLines(stores.database, { runId, phase, streams }, page)).toEqual({
      items: forward ? wanted.slice(0, limit) : wanted.slice(Math.max(0, wanted.length - limit)),
      hasNextPage: forward ? more : before !== null,
      hasPreviousPage: forward ? after !== null : more,
    });
  });
  await fc.assert(property, { numRuns: 150 });
});

test("what is read for listeners ends with a whole batch once there is enough", async () => {
  await append(batch(1, ["aaaa", "bbbb"]));
  await append(batch(3, ["cccc"]));
  await append(batch(4, ["dddd"]));
  const read = async (after: number, bytes: number) => texts(await readLogAfter(stores.database, runId, after, bytes));
  expect(await read(0, 1)).toEqual(["aaaa", "bbbb"]);
  expect(await read(0, 12)).toEqual(["aaaa", "bbbb", "cccc"]);
  expect(await read(1, 8)).toEqual(["bbbb", "cccc"]);
  expect(await read(4, 100)).toEqual([]);
});

test("lines of a long batch that were read before leave room for those behind it", async () => {
  const long = randomBytes(5000).toString("base64");
  await append(batch(1, [long, long, "last of it"]));
  await append(batch(4, ["next"]));
  await append(batch(5, [long]));
  await append(batch(6, ["beyond"]));
  const read = async (after: number, bytes: number) => texts(await readLogAfter(stores.database, runId, after, bytes));
  expect(await read(2, 100)).toEqual(["last of it", "next"]);
  expect(await read(2, long.length + 15)).toEqual(["last of it", "next", long]);
  expect(await read(2, 100_000)).toEqual(["last of it", "next", long, "beyond"]);
});

test("going on from the last number reads every line once", async () => {
  for (let first = 1; first <= 30; first += 2) await append(batch(first, [`${first}`, `${first + 1}`]));
  const seen: number[] = [];
  for (;;) {
    const lines = await readLogAfter(stores.database, runId, seen.at(-1) ?? 0, 5);
    if (lines.length === 0) break;
    seen.push(...lines.map(({ number }) => number));
  }
  expect(seen).toEqual(range(1, 30));
});

test("lines of a stream are found among many others", async () => {
  await append(batch(1, ["one", "two"]));
  for (let first = 3; first <= 300; first += 2) {
    const stream = first % 99 === 0 ? ("STDERR" as const) : ("RUNNER" as const);
    const lines = [
      { at: AT, text: `${first}`, stream },
      { at: AT, text: "out" },
    ];
    await append({ phase: "PLAN", attempt: 1, firstLine: first, lines });
  }
  const some = async (streams: NonNullable<LogSelection["streams"]>, page: Partial<PageRequest<number>> = {}) => {
    const { items } = await listLogLines(stores.database, { runId, phase: null, streams }, { ...FROM_START, ...page });
    return items.map(({ number }) => number);
  };
  expect(await some(["STDERR"])).toEqual([99, 297]);
  expect(await some(["STDERR"], { direction: "backward", limit: 1 })).toEqual([297]);
  expect((await some(["STDOUT"])).slice(0, 3)).toEqual([1, 2, 4]);
  expect(await some(["RUNNER"], { after: 295 })).toEqual([299]);
});
