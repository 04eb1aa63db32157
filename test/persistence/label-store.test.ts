/** Filters by labels are answered by indexes, and find what a comparison of all workspaces finds. */
import { type CompiledQuery, PostgresQueryCompiler, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EVERYTHING } from "../../src/model/people/permission.ts";
import type { Reader } from "../../src/persistence/database/database.ts";
import { countRuns, listRuns } from "../../src/persistence/run/run-list-store.ts";
import { selectLabelledWorkspaces } from "../../src/persistence/workspace/label-store.ts";
import { listWorkspaces } from "../../src/persistence/workspace/workspace-list-store.ts";
import { openStores, type Stores } from "../support/store-fixtures.ts";

const WORKSPACES = 4000;
const RUNS = 20_000;
const PAGE = { limit: 20, direction: "forward", after: null, before: null } as const;

let stores: Stores;

/** Every tenth workspace has `env:prod`, all others `env:dev`; `rare` is on one of a thousand. */
beforeAll(async () => {
  stores = await openStores();
  await stores.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx.sql);
    await sql`
      insert into workspace (id, organization_id, project_id, name, source, plan_approval, auto_apply, created_at, deleted_at, labels)
      select 'ws_' || lpad(n::text, 26, '0'), 'org_a', 'prj_a', 'w' || lpad(n::text, 6, '0'), '{}', 'ALWAYS', 'NEVER', now(),
        case when n % 500 = 0 then now() end,
        case when n % 1000 < 2 then '{env:prod,rare:one}' when n % 10 = 0 then '{env:prod}' else '{env:dev}' end::text[]
      from generate_series(1, ${WORKSPACES}::int) n
    `.execute(tx.sql);
    await sql`
      insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
        variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at)
      select 'run_' || lpad(n::text, 26, '0'), 'org_a', 'prj_a', 'ws_' || lpad((n % ${WORKSPACES}::int + 1)::text, 26, '0'), n,
        'PLAN', 'CANCELED', 'PLAN', 'MANUAL', 'sys', '', '{}', '{}', 1, 1, now(), now(), now()
      from generate_series(1, ${RUNS}::int) n
    `.execute(tx.sql);
  });
  await sql`analyze workspace`.execute(stores.database.sql);
  await sql`analyze run`.execute(stores.database.sql);
});
afterAll(() => stores[Symbol.asyncDispose]());

/** Postgres' plan of the last statement that a read sends. */
async function planOf(read: (reader: Reader) => Promise<unknown>): Promise<string> {
  return stores.database.transaction(async (tx) => {
    let sent: CompiledQuery | undefined;
    const watched: Reader = {
      sql: tx.sql.withPlugin({
        transformQuery({ node, queryId }) {
          sent = new PostgresQueryCompiler().compileQuery(node, queryId);
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    };
    await read(watched);
    if (sent === undefined) throw new Error("Nothing was sent.");
    const { rows } = await tx.sql.executeQuery<{ "QUERY PLAN": string }>({ ...sent, sql: `explain ${sent.sql}` });
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

const idsOf = (condition: string) =>
  sql<{ id: string }>`select id from workspace where deleted_at is null and ${sql.raw(condition)} order by name`
    .execute(stores.database.sql)
    .then(({ rows }) => rows.map(({ id }) => id));

test("workspaces: all labels, a key matches each value, deleted ones never", async () => {
  const select = (...labels: string[]) =>
    selectLabelledWorkspaces(stores.database, EVERYTHING, "org_a", labels, 10_000);
  expect(await select("env:prod")).toEqual(await idsOf("'env:prod' = any(labels)"));
  expect(await select("env")).toEqual(await idsOf("labels <> '{}'"));
  expect(await select("rare", "env:prod")).toEqual(await idsOf("'rare:one' = any(labels)"));
  expect(await select("rare:two")).toEqual([]);
  expect(await selectLabelledWorkspaces(stores.database, EVERYTHING, "org_b", ["env"], 10)).toEqual([]);
});

test("a rare label is looked up by its index, for workspaces and for runs", async () => {
  const workspaces = await planOf((tx) => listWorkspaces(tx, EVERYTHING, "org_a", { labels: ["rare"] }, PAGE));
  expect(workspaces).toContain("workspace_label");
  const runs = await planOf((tx) => listRuns(tx, EVERYTHING, { labels: ["rare"] }, PAGE));
  expect(runs).toContain("workspace_label");
  expect(runs).not.toContain("Seq Scan on run");
});

test("a frequent label walks the runs from the newest on", async () => {
  const runs = await planOf((tx) => listRuns(tx, EVERYTHING, { labels: ["env"] }, PAGE));
  expect(runs).toMatch(/Index (?:Only )?Scan Backward using \w+ on run|Index Scan using \w+ on run/);
  expect(runs).not.toContain("Seq Scan on run");
});

test("runs: those of the labelled workspaces, newest first, and their number", async () => {
  const rare = new Set(await idsOf("'rare:one' = any(labels)"));
  const { items } = await listRuns(stores.database, EVERYTHING, { labels: ["rare:one"] }, { ...PAGE, limit: 100 });
  expect(items.length).toBe(rare.size * (RUNS / WORKSPACES));
  expect(items.every(({ workspaceId }) => rare.has(workspaceId))).toBe(true);
  expect(items.map(({ id }) => id)).toEqual(
    items
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  expect(await countRuns(stores.database, EVERYTHING, { labels: ["rare"] }, 10_000)).toBe(items.length);
});
