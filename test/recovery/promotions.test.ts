/** A server that is killed while it promotes many changesets: the next one promotes the others, and none twice. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { sendPromotion } from "../support/promotion-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const CHANGESETS = 60;
const PATIENCE = { timeout: RECOVERY_MS, interval: 5 };

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

/**
 * A changeset of a push in each of many repositories, which has just passed; making them by the API would take longer than
 * the test.
 */
async function addPassed(workspaceId: string): Promise<void> {
  await client.query("begin");
  await client.query("set local session_replication_role = replica");
  // One of them is generated, and may not be written.
  const { rows } = await client.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'workspace' and table_schema = 'public' and is_generated = 'NEVER'`,
  );
  await client.query(
    `insert into workspace (${rows[0].names}) select ${rows[0].names} from (
       select (jsonb_populate_record(w, jsonb_build_object(
         'id', 'ws_' || stage || lpad(n::text, 22, '0'), 'name', stage || n, 'labels', jsonb_build_array('env:' || stage),
         'source', w.source || jsonb_build_object('url', 'file:///nowhere/' || n)))).*
       from workspace w, generate_series(1, $2::integer) n, unnest('{deva, prda}'::text[]) stage where w.id = $1
     ) copied`,
    [workspaceId, CHANGESETS],
  );
  await client.query(
    `insert into run (id, organization_id, project_id, workspace_id, number, kind, status, leg, outcome, trigger, created_by,
       variables_sealed, targets, replace, version, status_version, created_at, status_at, finished_at, inputs_digest, revision)
     select 'run_' || right(id, 26), organization_id, project_id, id, 1, 'DEPLOY', 'FINISHED', 'PLAN', 'NO_CHANGES', 'PUSH',
       'sys_00000000000000000000000000', '', '{}', '{}', 1, 1, now(), now(), now(), 'd', repeat('a', 40)
     from workspace where name like 'deva%'`,
  );
  await client.query(
    `insert into changeset (id, organization_id, source, title, kind, trigger, created_by, created_at, due, passed_at, promotable)
     select 'cs_' || right(id, 26), organization_id, 'PUSH', name, 'DEPLOY', 'PUSH', 'sys_00000000000000000000000000', now(),
       false, now(), true
     from workspace where name like 'deva%'`,
  );
  await client.query(
    `insert into changeset_member (changeset_id, workspace_id, run_id)
     select 'cs_' || right(id, 26), id, 'run_' || right(id, 26) from workspace where name like 'deva%'`,
  );
  await client.query("commit");
}

async function promoted(): Promise<number> {
  const { rows } = await client.query("select count(*)::int as n from changeset where source = 'PROMOTION'");
  return rows[0].n;
}

it("each is promoted once", async () => {
  const first = await start();
  const { createWorkspace } = await first.api.ask(`mutation { createWorkspace(input: {
    name: "model", source: { git: { url: "https://example.com/x.git", branch: "main", path: "." } } }) {
    ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`);
  const stages = [
    { name: "dev", label: "env:deva" },
    { name: "prod", label: "env:prda", automatic: true },
  ];
  const input = { organizationId: DEFAULT_ORGANIZATION_ID, name: "all", stages };
  await sendPromotion(first.api, "createPromotionPipeline", input, "pipeline { id }");
  await addPassed(createWorkspace.workspace.id);
  await waitUntil(async () => (await promoted()) > 5, PATIENCE);
  await first.kill();
  const before = await promoted();
  // Otherwise nothing is proven.
  expect(before).toBeLessThan(CHANGESETS);
  const second = await start();
  await waitUntil(async () => (await promoted()) >= CHANGESETS, PATIENCE);
  await waitUntil(async () => {
    const { rows } = await client.query("select count(*)::int as n from changeset where promotable or due");
    return rows[0].n === 0;
  }, PATIENCE);
  const { rows } = await client.query(
    `select count(*)::int as promotions, count(changeset_id)::int as changesets, count(distinct changeset_id)::int as different,
       (select count(*)::int from changeset where source = 'PROMOTION') as all from promotion`,
  );
  expect(rows).toEqual([{ promotions: CHANGESETS, changesets: CHANGESETS, different: CHANGESETS, all: CHANGESETS }]);
  await second.stop();
});
