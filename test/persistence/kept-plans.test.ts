/** What servers read all the time is planned a few times for a connection, whatever is asked for. */
import { EVERYTHING } from "../../src/model/people/permission.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Transaction } from "../../src/persistence/database/database.ts";
import { listLogLines, readLogAfter } from "../../src/persistence/log/log-page-store.ts";
import { listPhases } from "../../src/persistence/plan/phase-store.ts";
import { findRunsWithPhases } from "../../src/persistence/run/run-phase-store.ts";
import { findNewestPlans, findPlans } from "../../src/persistence/plan/plan-store.ts";
import { listNewestRuns, listRuns } from "../../src/persistence/run/run-list-store.ts";
import { findRuns } from "../../src/persistence/run/run-store.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let runId: string;
const workspaceIds: string[] = [];

/** Twenty workspaces of 500 runs. */
beforeAll(async () => {
  stores = await openStores();
  const run = await stores.addRun(await stores.addWorkspace());
  runId = run.id;
  for (let made = 0; made < 20; made += 1) workspaceIds.push((await stores.addWorkspace()).id);
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    // In "from": as a list of columns the function would be called for each of them.
    await sql`insert into run select made.* from run, generate_series(1, 500) turn,
        unnest(${workspaceIds}::text[]) with ordinality as houses (house, place),
        jsonb_populate_record(run, jsonb_build_object(
          'id', 'run_' || lpad((turn * 20 + place)::text, 26, '0'), 'number', turn, 'workspace_id', house)) made
      where run.id = ${runId}`.execute(tx.sql);
  });
  await sql`analyze`.execute(stores.database.sql);
});
afterAll(() => stores[Symbol.asyncDispose]());

const page = (limit: number, after: string | null = null) =>
  ({ direction: "forward", limit, after, before: null }) as const;
/** By what they read; of one thing and of many in turn. */
const READS: Record<string, (tx: Transaction, size: number) => Promise<unknown>> = {
  "newest runs of workspaces": (tx, size) => listNewestRuns(tx, workspaceIds.slice(0, size), 6),
  "newest runs of a workspace": (tx, size) => listNewestRuns(tx, workspaceIds.slice(0, 1), size, "SUMMARY"),
  "further runs of a workspace": (tx, size) =>
    listRuns(tx, EVERYTHING, { workspaceId: workspaceIds[0] ?? "" }, page(size, runId)),
  "newest runs": (tx, size) => listRuns(tx, EVERYTHING, {}, page(size)),
  "further runs": (tx, size) => listRuns(tx, EVERYTHING, {}, page(size, runId)),
  "runs by id": (tx, size) => findRuns(tx, workspaceIds.slice(0, size)),
  "runs with their phases": (tx, size) => findRunsWithPhases(tx, workspaceIds.slice(0, size)),
  phases: (tx, size) => listPhases(tx, workspaceIds.slice(0, size)),
  plans: (tx, size) => findNewestPlans(tx, workspaceIds.slice(0, size)),
  "a page of a log": (tx, size) => listLogLines(tx, { runId, phase: null }, { ...page(size), after: 1 }),
  "what comes next in a log": (tx, size) => readLogAfter(tx, runId, size, 1000),
};

test("statements that are asked again and again are not planned each time", async () => {
  const plannedAnew = await stores.database.transaction(async (tx) => {
    // As Postgres does outside of tests: it plans five times before it compares.
    await sql`set local plan_cache_mode = auto`.execute(tx.sql);
    for (const read of Object.values(READS)) {
      for (let time = 0; time < 30; time += 1) await read(tx, time % 2 === 0 ? 1 : 20);
    }
    const { rows } = await sql<{ statement: string; plans: number }>`
      select statement, custom_plans::int as plans from pg_prepared_statements
      where generic_plans + custom_plans > 20`.execute(tx.sql);
    expect(rows.length).toBeGreaterThanOrEqual(Object.keys(READS).length);
    return rows.filter(({ plans }) => plans > 5);
  });
  expect(plannedAnew).toEqual([]);
});

test("of no plans, none are read", async () => {
  expect(await stores.database.transaction((tx) => findPlans(tx, []))).toEqual([]);
});
