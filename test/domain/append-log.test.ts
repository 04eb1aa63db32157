/** What becomes of lines that are stored together when something breaks. */
import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAppendLog } from "../../src/domain/job/append-log.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { type LogAppend, summarizeLogText, writeLogText } from "../../src/model/log/log-text.ts";
import type { JobCaller } from "../../src/model/people/permission.ts";
import type { Database } from "../../src/persistence/database/database.ts";
import { endLiveJob } from "../../src/persistence/dispatch/job-store.ts";
import { listLogLines, readLogAfter } from "../../src/persistence/log/log-page-store.ts";
import { LogShipper } from "../../src/runner/log/log-shipper.ts";
import { Masker } from "../../src/runner/mask/masker.ts";
import { RUNNER_LIMITS } from "../../src/runner/kit/runner-limits.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
/** Jobs whose runs are planning. */
let one: JobCaller;
let other: JobCaller;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  [one, other] = [await addPlanning(), await addPlanning()];
});

async function addPlanning(): Promise<JobCaller> {
  const run = await stores.addRun(await stores.addWorkspace());
  const runId = run.id;
  await stores.addPhase(runId, "PLAN");
  return { type: "job", jobId: await stores.addJob(run), kind: "DEPLOY", leg: "PLAN", runId };
}

function createAppend(database: Database = stores.database) {
  const appendLog = createAppendLog({ database, clock: () => new Date(AT) });
  const send = async (caller: JobCaller, firstLine: number, texts: readonly string[], follows: boolean) => {
    const text = Buffer.from(writeLogText(texts.map((line) => ({ at: AT, text: line }))));
    const summary = summarizeLogText(text);
    if (typeof summary === "string") throw new Error(summary);
    return appendLog(caller, { phase: "PLAN", firstLine, text, summary, follows });
  };
  const append = async (caller: JobCaller, firstLine: number, ...texts: string[]) => {
    const { ok, nextLine } = await send(caller, firstLine, texts, false);
    return { ok, nextLine };
  };
  /** While what comes before it is under way. */
  const follow = async (caller: JobCaller, firstLine: number, ...texts: string[]) => {
    const { ok, nextLine } = await send(caller, firstLine, texts, true);
    return { ok, nextLine };
  };
  return Object.assign(append, { follow, send });
}

async function countBatches({ runId }: JobCaller): Promise<number> {
  const rows = await stores.database.sql
    .selectFrom("log_batch")
    .select("last_line")
    .where("run_id", "=", runId)
    .execute();
  return rows.length;
}

async function textsOf({ runId }: JobCaller): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const lines = await readLogAfter(stores.database, runId, texts.length, 1000);
    if (lines.length === 0) return texts;
    texts.push(...lines.map(({ text }) => text));
  }
}
const execute = (statement: string) => stores.database.sql.executeQuery(CompiledQuery.raw(statement));

test("lines are stored whatever is wrong with those of another job that come at the same time", async () => {
  const append = createAppend();
  // As a change of the table that died half-way leaves behind for a while.
  await execute(`alter table log_batch add constraint bound check (run_id <> '${other.runId}') not valid`);
  const answers = await Promise.allSettled([append(other, 1, "no"), append(one, 1, "a", "b")]);
  await execute("alter table log_batch drop constraint bound");
  expect(answers).toMatchObject([
    { status: "rejected", reason: { code: "23514" } },
    { status: "fulfilled", value: { ok: true, nextLine: 3 } },
  ]);
  expect([await textsOf(one), await textsOf(other)]).toEqual([["a", "b"], []]);
  expect(await append(other, 1, "no")).toEqual({ ok: true, nextLine: 2 });
});

test("lines of which nobody heard that they were stored are stored once", async () => {
  let cuts = 0;
  const append = createAppend({
    ...stores.database,
    async statement(work) {
      const result = await stores.database.statement(work);
      if (cuts++ < 2) throw new Error("The connection broke.");
      return result;
    },
  });
  expect(await Promise.all([append(one, 1, "a"), append(other, 1, "b")])).toEqual([
    { ok: true, nextLine: 2 },
    { ok: true, nextLine: 2 },
  ]);
  await expect(append(one, 2, "c")).rejects.toThrow("The connection broke.");
  expect(await append(one, 2, "c")).toEqual({ ok: true, nextLine: 3 });
  expect([await textsOf(one), await textsOf(other)]).toEqual([["a", "c"], ["b"]]);
});

test("batches of one job that come together are taken in turn, and those of a job that ends meanwhile are not", async () => {
  const append = createAppend();
  const both = await Promise.all([append(one, 1, "a"), append(one, 2, "b"), append(other, 1, "c")]);
  expect(both.map(({ ok }) => ok)).toEqual([true, true, true]);
  const ended = stores.database.transaction((tx) => endLiveJob(tx, one.runId, AT));
  await expect(ended.then(() => append(one, 3, "late"))).rejects.toMatchObject({ code: "JOB_OVER" });
  expect([await textsOf(one), await textsOf(other)]).toEqual([["a", "b"], ["c"]]);
});

test("posts that are under way are stored as one, in the order of their lines", async () => {
  const append = createAppend();
  const first = append(one, 1, "a");
  const others = [append.follow(one, 6, "f"), append.follow(one, 4, "d", "e"), append.follow(one, 2, "b", "c")];
  expect(await Promise.all([first, ...others])).toEqual([2, 7, 6, 4].map((nextLine) => ({ ok: true, nextLine })));
  expect([await textsOf(one), await countBatches(one)]).toEqual([["a", "b", "c", "d", "e", "f"], 1]);
  // Whoever has not heard of it sends them again, one by one.
  expect(await append(one, 2, "b", "c")).toEqual({ ok: true, nextLine: 4 });
  expect(await append(one, 1, "a", "other")).toEqual({ ok: false, nextLine: 7 });
  const large = "x".repeat(LIMITS.logLineBytes);
  const more = [7, 8, 9].map((line) => append.follow(one, line, large));
  expect(await Promise.all(more)).toEqual([8, 9, 10].map((nextLine) => ({ ok: true, nextLine })));
  expect(await countBatches(one)).toBe(1 + 3);
});

test("a post that overtook another waits for it a moment, where its sender says that there is one", async () => {
  const append = createAppend();
  const [second, third] = [append.follow(one, 2, "b"), append.follow(one, 3, "c")];
  expect(await append(one, 1, "a")).toEqual({ ok: true, nextLine: 2 });
  expect(await Promise.all([second, third])).toEqual([3, 4].map((nextLine) => ({ ok: true, nextLine })));
  expect(await append(one, 9, "alone")).toEqual({ ok: false, nextLine: 4 });
  const nobody = [append.follow(one, 6, "never"), append.follow(one, 7, "never")];
  expect(await append(other, 1, "d")).toEqual({ ok: true, nextLine: 2 });
  expect(await Promise.all(nobody)).toEqual([4, 4].map((nextLine) => ({ ok: false, nextLine })));
  expect([await textsOf(one), await textsOf(other)]).toEqual([["a", "b", "c"], ["d"]]);
});

test("what is wrong with one post is not the fault of those before it", async () => {
  const append = createAppend();
  await execute(`update log_head set bytes = ${LIMITS.logRunBytes - 5} where run_id = '${one.runId}'`);
  const all = [append(one, 1, "a"), append.follow(one, 2, "b"), append.follow(one, 3, "too long")];
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: { ok: true, nextLine: 2 } },
    { value: { ok: true, nextLine: 3 } },
    { reason: { code: "TOO_LARGE" } },
  ]);
  expect(await textsOf(one)).toEqual(["a", "b"]);
});

test("a batch of several posts has no more lines than a page, on which whoever reads counts", async () => {
  const append = createAppend();
  const texts = Array.from({ length: LIMITS.logPageSize / 2 }, () => "");
  const firsts = [1, 2, 3].map((post) => (post - 1) * texts.length + 1);
  await Promise.all(firsts.map((firstLine) => append.follow(one, firstLine, ...texts)));
  expect(await countBatches(one)).toBe(2);
  const page = { limit: 10, direction: "backward", after: null, before: 2 } as const;
  const { items } = await listLogLines(stores.database, { runId: one.runId, phase: null }, page);
  expect(items.map(({ number }) => number)).toEqual([1]);
});

test("posts that were sent again do not make others wait; of more than may be under way none is waited for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  using _ = { [Symbol.dispose]: () => void vi.useRealTimers() };
  const append = createAppend();
  await append(one, 1, "a", "b", "c");
  const again = [append(one, 1, "a"), append(one, 2, "b"), append.follow(one, 4, "d")];
  expect(await Promise.all(again)).toEqual([2, 3, 5].map((nextLine) => ({ ok: true, nextLine })));
  const firsts = Array.from({ length: LIMITS.logPostsAtOnce + 3 }, (_line, index) => 7 + 2 * index);
  const [answers, refused] = [new Array<number>(), Promise.withResolvers<void>()];
  const lies = firsts.map(async (line) => {
    answers.push((await append.follow(one, line, "lie")).nextLine);
    if (answers.length === firsts.length - LIMITS.logPostsAtOnce) refused.resolve();
  });
  await refused.promise;
  await vi.advanceTimersByTimeAsync(LIMITS.logGapMs);
  await Promise.all(lies);
  expect(answers).toEqual(firsts.map(() => 5));
});

test("a post that waited in vain for one that went to another server is stored, and asks for one at a time", async () => {
  const first = createAppend();
  const second = createAppend({
    ...stores.database,
    async transaction(work) {
      const refused = await stores.database.transaction(work);
      await first(one, 1, "a");
      return refused;
    },
  });
  expect(await second.send(one, 2, ["b"], true)).toEqual({ ok: true, nextLine: 3, atOnce: 1 });
  expect(await second.send(one, 3, ["c"], false)).toEqual({ ok: true, nextLine: 4, atOnce: LIMITS.logPostsAtOnce });
});

test("a runner's lines come once and in order through servers that take turns, die, and do not answer", async () => {
  const servers = [createAppend(), createAppend()];
  let requests = 0;
  const appendLog = async ({ firstLine, lines }: LogAppend, follows = false) => {
    for (;;) {
      const number = requests++;
      const turn = number % servers.length;
      const append = servers[turn];
      if (append === undefined || number % 11 === 10) continue;
      const texts = lines.map(({ text }) => text);
      const answer = await append.send(one, firstLine, texts, follows);
      // Stored, but nobody was told; and what the server knew is gone.
      if (number % 7 === 6) servers[turn] = createAppend();
      else return answer;
    }
  };
  const texts = Array.from({ length: 150 }, (_, index) => `line ${index}`);
  const log = new LogShipper({
    client: { appendLog, declareMasks: async () => null },
    masker: new Masker(6),
    nextLine: 1,
    writtenBytes: 0,
    clock: () => new Date(AT),
    ended: new AbortController().signal,
    limits: { ...RUNNER_LIMITS, logBatchLines: 3 },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  await log.write(texts.join("\n"));
  await log.close();
  expect(await textsOf(one)).toEqual(texts);
});
