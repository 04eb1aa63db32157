/** The data set of the benchmark is written past every trigger: here is what keeps it from lying. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loggedRunId, organizationId, runId, type Shape, workspaceId } from "../../bench/dataset/ids.ts";
import { seed } from "../../bench/dataset/seed.ts";
import { idKind } from "../../src/model/kit/id.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { listLogLines } from "../../src/persistence/log/log-page-store.ts";
import { listPhases } from "../../src/persistence/plan/phase-store.ts";
import { findRuns } from "../../src/persistence/run/run-store.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const SHAPE: Shape = { runCount: 1000, workspaceCount: 100, organizationCount: 3, logLineCount: 1000 };
const SECRETS = { token: "hpt_of-the-test", masterKey: "ab".repeat(32) };

let empty: TestDatabase;
let filled: TestDatabase;
let client: Client;

beforeAll(async () => {
  empty = await createTestDatabase();
  filled = await createTestDatabase();
  await seed(filled.connection, SHAPE, SECRETS);
  client = new Client(filled.connection);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await Promise.all([empty, filled].map((database) => database[Symbol.asyncDispose]()));
});

async function column(text: string, on = client): Promise<unknown[]> {
  const { rows } = await on.query<{ value: unknown }>(text);
  return rows.map(({ value }) => value);
}

test("ids follow from numbers, are of their kind, and are those of the rows", async () => {
  const ids = { run: runId(SHAPE, 7), workspace: workspaceId(99), organization: organizationId(2) };
  for (const [kind, id] of Object.entries(ids)) {
    expect(idKind(id)).toBe(kind);
    expect(await column(`select id as value from ${kind} where id = '${id}'`)).toEqual([id]);
  }
  expect(await column("select count(*)::int as value from run")).toEqual([SHAPE.runCount]);
  expect(await column("select count(*)::int as value from phase")).toEqual([3 * SHAPE.runCount]);
});

test("every index and constraint is there again", async () => {
  const indexes = "select indexdef as value from pg_indexes where schemaname = 'public' order by indexdef";
  const constraints = `select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) as value
    from pg_constraint where connamespace = 'public'::regnamespace order by 1`;
  const other = new Client(empty.connection);
  await other.connect();
  try {
    expect(await column(indexes)).toEqual(await column(indexes, other));
    expect(await column(constraints)).toEqual(await column(constraints, other));
  } finally {
    await other.end();
  }
});

test("the rows keep to every foreign key, and no run is where the machine cannot bring it", async () => {
  const keys = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I, add constraint %I %s', conrelid::regclass, conname, conname,
      pg_get_constraintdef(oid)) as statement from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  await client.query("begin");
  for (const { statement } of keys.rows) await client.query(statement);
  await client.query("rollback");
  const impossible = `select id as value from run r where not exists (select from run_status_change c
    where c.kind = r.kind and c.to_status = r.status and c.to_leg = r.leg and c.outcome = coalesce(r.outcome, ''))`;
  expect(await column(impossible)).toEqual([]);
});

test("the product's own stores read them", async () => {
  const notifier = { send: () => undefined };
  await using database = openDatabase(filled.connection, {
    notifier: { ...notifier, [Symbol.asyncDispose]: async () => undefined },
    onError: (error) => {
      throw error;
    },
  });
  const ids = [runId(SHAPE, 3), runId(SHAPE, 950)];
  const runs = await findRuns(database, ids);
  expect(runs.map((run) => run?.status)).toEqual([expect.any(String), "AWAITING_APPLY_APPROVAL"]);
  for (const phases of await listPhases(database, ids)) {
    expect(phases.map(({ status }) => status)).toEqual(["PASSED", "PASSED", expect.any(String)]);
  }
  const page = { direction: "backward", limit: 2, after: null, before: null } as const;
  const log = await listLogLines(database, { runId: loggedRunId(SHAPE), phase: null }, page);
  expect(log.items.map(({ number }) => number)).toEqual([999, 1000]);
});
