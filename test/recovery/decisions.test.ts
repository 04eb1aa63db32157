/** A server that is killed while it decides about a push: another one decides it, once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { MASTER_KEY } from "../e2e/holdpoint.ts";
import { TestRepository } from "../support/git.ts";
import { createHost, createRepository } from "../support/repository-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };

let database: TestDatabase;
let client: Client;
let holder: Client;
let root: string;
const dataDirs: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  [client, holder] = [new Client({ ...database.connection }), new Client({ ...database.connection })];
  await Promise.all([client.connect(), holder.connect()]);
  root = mkdtempSync(join(tmpdir(), "holdpoint-decisions-"));
});
afterAll(async () => {
  await Promise.all([client.end(), holder.end()]);
  await Promise.all(dataDirs.map(removeDataDir));
  rmSync(root, { recursive: true });
  await database[Symbol.asyncDispose]();
});

async function start(name: string): Promise<ServerProcess> {
  const dataDir = await makeDataDir();
  dataDirs.push(dataDir);
  return startServerProcess({
    dataDir,
    env: {
      DATABASE_URL: database.url,
      PGAPPNAME: name,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
      HOLDPOINT_RUNNER_SLOTS: "0",
      HOLDPOINT_SOURCE_ROOTS: root,
    },
  });
}

const rows = async (text: string) => (await client.query(text)).rows;
/** As if a minute had passed: a look is due by the clock. */
const tick = () => rows("update repository_look set next_at = now()");
/** The servers that wait for the lock while they judge. */
const judging = async (): Promise<string[]> => {
  const waiting = "wait_event_type = 'Lock' and query like '%from trigger_decision d%'";
  return (await rows(`select application_name as name from pg_stat_activity where ${waiting}`)).map(({ name }) => name);
};
const undecided = async () => {
  const kept = "decide_at > now() + interval '19 s' as kept";
  return (await rows(`select decided_by as by, ${kept} from ref_change where decided_at is null`))[0];
};

it("is followed by another server, and the push starts one run", async () => {
  const repository = new TestRepository(join(root, "repository"));
  repository.commit({ "one/main.tf": "" });
  const servers: Record<string, ServerProcess> = { first: await start("first"), second: await start("second") };
  const api = servers["first"]?.api;
  if (api === undefined) throw new Error("There is no server.");
  const { gitHost } = await createHost(api, { kind: "GIT", url: `file://${root}` });
  const { id } = await createRepository(api, gitHost.id, "repository");
  const { createWorkspace } = await api.ask(
    `mutation ($input: CreateWorkspaceInput!) { createWorkspace(input: $input) {
      ... on CreateWorkspaceSuccess { workspace { id } } ... on UserError { message } } }`,
    { input: { name: "one", source: { git: { repositoryId: id, path: "one" } }, trigger: { branch: "main" } } },
  );
  const seen = async (oid: string): Promise<boolean> => {
    await tick();
    return (await rows(`select 1 from git_ref where oid = '${oid}'`)).length === 1;
  };
  await waitUntil(() => seen(repository.git("rev-parse", "HEAD")), PATIENCE);
  // The server that decides stops in the midst of it.
  await holder.query("begin");
  await holder.query("lock table trigger_decision in access exclusive mode");
  const commit = repository.commit({ "one/main.tf": "# a" });
  await waitUntil(() => seen(commit), PATIENCE);
  await waitUntil(async () => (await judging()).length === 1, PATIENCE);
  const [name = ""] = await judging();
  const { by } = await undecided();
  // A live server keeps what it decides, and the other one does not begin.
  await rows("update ref_change set decide_at = now() + interval '18 s' where decided_at is null");
  await waitUntil(async () => (await undecided()).kept, PATIENCE);
  expect([(await undecided()).by, await judging()]).toEqual([by, [name]]);
  await servers[name]?.kill();
  await rows("update ref_change set decide_at = now() where decided_at is null");
  await waitUntil(async () => ![by, null].includes((await undecided()).by), PATIENCE);
  await holder.query("commit");
  await waitUntil(async () => (await undecided()) === undefined, PATIENCE);
  await waitUntil(async () => (await rows("select 1 from run")).length === 1, PATIENCE);
  expect(await rows("select workspace_id as id from changeset_member")).toEqual([{ id: createWorkspace.workspace.id }]);
  expect(await rows("select error, failures from ref_change")).toEqual([{ error: null, failures: 0 }]);
  expect(await servers[name === "first" ? "second" : "first"]?.stop()).toBe(0);
});
