/** A server that is killed in the midst of an operation on many runs: the next one goes on, and does nothing twice. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Api, Data } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";

const RUNS = 100;
const PATIENCE = { timeout: RECOVERY_MS, interval: 20 };

let database: TestDatabase;
let client: Client;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ ...database.connection });
  await client.connect();
  dataDir = await makeDataDir();
});
afterAll(async () => {
  await client.end();
  await removeDataDir(dataDir);
  await database[Symbol.asyncDispose]();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({ dataDir, env: { DATABASE_URL: database.url, HOLDPOINT_RUNNER_SLOTS: "0" } });

async function progress(api: Api, id: string): Promise<Data> {
  const query = "query ($id: ID!) { node(id: $id) { ... on BulkOperation { state total done succeeded } } }";
  return (await api.ask(query, { id })).node;
}

/** Runs that wait in a paused workspace; making so many by the API would take longer than the test. */
async function addRuns(workspaceId: string): Promise<void> {
  await client.query("begin");
  await client.query("set local session_replication_role = replica");
  await client.query(
    `insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, trigger, created_by,
       variables_sealed, targets, replace, version, status_version, created_at, status_at)
     select 'run_' || lpad(n::text, 26, '0'), organization_id, project_id, id, n, 'DEPLOY', 'QUEUED', 'PLAN', 'MANUAL', 'sys', '',
       '{}', '{}', 1, 1, now(), now()
     from workspace, generate_series(1, $2::integer) n where id = $1`,
    [workspaceId, RUNS],
  );
  await client.query("commit");
}

async function beginIn(server: ServerProcess): Promise<string> {
  const { createWorkspace } = await server.api.ask(`mutation { createWorkspace(input: {
    name: "many", source: { git: { url: "https://example.com/x.git", branch: "main", path: "" } } }) {
    ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`);
  const { id } = createWorkspace.workspace;
  await client.query("update workspace set paused = true where id = $1", [id]);
  await addRuns(id);
  const { bulkRunAction } = await server.api.ask(
    `mutation ($id: ID!) { bulkRunAction(input: { filter: { workspaceId: $id }, action: CANCEL }) {
      ... on BulkRunActionSuccess { operation { id } } ... on UserError { message } } }`,
    { id },
  );
  return bulkRunAction.operation.id;
}

it("is carried on by the next server", async () => {
  await using first = await start();
  const id = await beginIn(first);
  await waitUntil(async () => (await progress(first.api, id)).done > 4, PATIENCE);
  await first.kill();
  const { rows: left } = await client.query("select done_count from bulk_operation");
  expect(left[0].done_count).toBeLessThan(RUNS);

  await using second = await start();
  await waitUntil(async () => (await progress(second.api, id)).state === "FINISHED", PATIENCE);
  expect(await progress(second.api, id)).toEqual({ state: "FINISHED", total: RUNS, done: RUNS, succeeded: RUNS });
  const { rows } = await client.query("select count(*)::integer from run_event where to_status = 'CANCELED'");
  expect(rows).toEqual([{ count: RUNS }]);
});
