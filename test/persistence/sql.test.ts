/**
 * The SQL of every store function, as it is sent: a change of it shows in a difference of the files in `sql`. After one
 * that is meant: `npx vitest run test/persistence/sql.test.ts -u`.
 */
import { glob, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHANGESET_STORES } from "./examples/changesets.ts";
import { CHECK_STORES } from "./examples/checks.ts";
import { VERIFICATION_STORES } from "./examples/verifications.ts";
import { INSTALLATION_STORES } from "./examples/installation.ts";
import { JUDGEMENT_STORES } from "./examples/judgements.ts";
import { HEALTH_DAY_STORES, HEALTH_STORES } from "./examples/health.ts";
import { LOG_MONTH_STORES } from "./examples/log-months.ts";
import { INPUT_STORES } from "./examples/inputs.ts";
import { POLICY_STORES } from "./examples/policies.ts";
import { PROGRAM_STORES } from "./examples/programs.ts";
import { REPOSITORY_STORES } from "./examples/repositories.ts";
import { RUN_STORES } from "./examples/runs.ts";
import { SCHEDULE_STORES } from "./examples/schedules.ts";
import { DRIFT_STORES } from "./examples/drift.ts";
import { WORK_STORES } from "./examples/work.ts";
import { WORKSPACE_STORES } from "./examples/workspaces.ts";
import { type OpenWorld, openWorld } from "./examples/world.ts";

const STORES = {
  ...CHANGESET_STORES,
  ...CHECK_STORES,
  ...VERIFICATION_STORES,
  ...HEALTH_STORES,
  ...INSTALLATION_STORES,
  ...INPUT_STORES,
  ...POLICY_STORES,
  ...JUDGEMENT_STORES,
  ...PROGRAM_STORES,
  ...REPOSITORY_STORES,
  ...RUN_STORES,
  ...WORK_STORES,
  ...DRIFT_STORES,
  ...SCHEDULE_STORES,
  ...WORKSPACE_STORES,
  ...HEALTH_DAY_STORES,
  ...LOG_MONTH_STORES,
};
const PERSISTENCE = new URL("../../src/persistence/", import.meta.url).pathname;
const GOLDEN = new URL("sql/", import.meta.url).pathname;

/** What sends statements and is no store. */
const OTHERS = new Map([
  ["database", "begin and rollback"],
  ["disk-full", "a probe that is rolled back"],
  ["migrate", "statements of kysely and of the migrations"],
  ["postgres-dialect", "what others ask of it"],
  ["prepared", "what others ask of it"],
  ["row-query", "what others ask of it"],
  ["row-query", "what others ask of it"],
  ["webhook-queue", "statements of pg-boss; its own is in webhook-queue.test.ts"],
]);

let world: OpenWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function namesIn(folder: string, pattern: string, extension: string): Promise<string[]> {
  const files = await Array.fromAsync(glob(pattern, { cwd: folder }));
  return files.map((file) => basename(file, extension)).toSorted();
}

test("every module that sends statements has examples", async () => {
  const files = await Array.fromAsync(glob("!(backup|embedded)/*.ts", { cwd: PERSISTENCE }));
  const senders: string[] = [];
  for (const file of files) {
    const name = basename(file, ".ts");
    const source = await readFile(`${PERSISTENCE}${file}`, "utf8");
    if (/\bexecute\w*\(|\bprepared\(/.test(source) && !OTHERS.has(name)) senders.push(name);
  }
  expect(Object.keys(STORES).toSorted()).toEqual(senders.toSorted());
});

test.each(Object.entries(STORES))("%s", async (name, store) => {
  const text = await world.record(store);
  const named = new Set(Array.from(text.matchAll(/^-- (\w+)(?=$|:(?! ?$))/gm), ([, found]) => found));
  expect(store.functions.filter((one) => !named.has(one))).toEqual([]);
  await expect(text).toMatchFileSnapshot(`${GOLDEN}${name}.sql`);
});

test("every file stands for a store", async () => {
  expect(await namesIn(GOLDEN, "*.sql", ".sql")).toEqual(Object.keys(STORES).toSorted());
});
