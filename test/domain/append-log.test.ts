/** What becomes of lines that are stored together when something breaks. */
import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAppendLog } from "../../src/domain/job/append-log.ts";
import { readLogFacts, writeLogText } from "../../src/model/log-text.ts";
import type { JobCaller } from "../../src/model/permission.ts";
import type { Database } from "../../src/persistence/database.ts";
import { endLiveJob } from "../../src/persistence/job-store.ts";
import { readLogAfter } from "../../src/persistence/log-page-store.ts";
import { startPhase } from "../../src/persistence/phase-store.ts";
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
  const phase = { id: stores.newId("phase"), runId, kind: "PLAN", runnerId: null, at: AT } as const;
  await stores.database.transaction((tx) => startPhase(tx, phase));
  return { type: "job", jobId: await stores.addJob(run), kind: "DEPLOY", leg: "PLAN", runId };
}

function createAppend(database: Database = stores.database) {
  const append = createAppendLog({ database, clock: () => new Date(AT) });
  return (caller: JobCaller, firstLine: number, ...texts: string[]) => {
    const text = Buffer.from(writeLogText(texts.map((line) => ({ at: AT, text: line }))));
    const facts = readLogFacts(text);
    if (typeof facts === "string") throw new Error(facts);
    return append(caller, { phase: "PLAN", firstLine, text, facts });
  };
}

const textsOf = async ({ runId }: JobCaller) =>
  (await readLogAfter(stores.database, runId, 0, 1000)).map(({ text }) => text);
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
