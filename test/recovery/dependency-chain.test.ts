/** A chain of five workspaces with outputs, with a server that is killed again and again: the end is the same. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { TestWorkspace, writeFiles } from "../e2e/holdpoint.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createChain, Link, openTogether, stateOf } from "../support/engine-chain.ts";
import { waitUntil } from "../support/eventually.ts";
import { createWorkspace } from "../support/run-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE_MS = 120_000;

let database: TestDatabase;
let client: Client;
let dataDir: string;
let root: string;
let server: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ ...database.connection });
  await client.connect();
  dataDir = await makeDataDir();
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-sources-")));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await client.end();
  await rm(root, { recursive: true, force: true });
  await removeDataDir(dataDir);
  await database[Symbol.asyncDispose]();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({ dataDir, env: { DATABASE_URL: database.url, HOLDPOINT_SOURCE_ROOTS: root } });

/** Moments at which nothing is being applied, each as a question about the run of one workspace. */
const MOMENTS: readonly { of: number; text: string }[] = [
  { of: 0, text: "select from changeset_member where workspace_id = $1" },
  { of: 1, text: "select from run where workspace_id = $1 and not awaits_upstream and applying_at is null" },
  { of: 1, text: "select from run where workspace_id = $1 and started_at is not null" },
  { of: 2, text: "select from run_upstream u join run r on r.id = u.run_id where r.workspace_id = $1" },
  { of: 3, text: "select from run where workspace_id = $1 and released_at is not null" },
];

it("comes to the same end", { timeout: 5 * PATIENCE_MS }, async () => {
  server = await start();
  const links = await createChain(
    server.api,
    async (name, files) => {
      const path = join(root, name);
      await writeFiles(path, files);
      return new TestWorkspace(server.api, path, await createWorkspace(server.api, name, path));
    },
    "killed",
  );
  // Work of a server that is gone is taken up after this time.
  await client.query(`update workspace set limits = '{"leaseMs": 8000}'`);
  const id = await openTogether(server.api, {
    organizationId: DEFAULT_ORGANIZATION_ID,
    title: "All",
    workspaceIds: links.map((link) => link.id),
  });
  for (const { of, text } of MOMENTS) {
    const workspaceId = links[of]?.id;
    await waitUntil(async () => ((await client.query(text, [workspaceId])).rowCount ?? 0) > 0, {
      timeout: PATIENCE_MS,
      interval: 5,
    });
    await server.killGroup();
    server = await start();
  }
  const changeset = await stateOf(server.api, id, PATIENCE_MS);
  expect(changeset.state).toBe("APPLIED");
  expect(changeset.runs.edges).toHaveLength(5);
  const [, , , , last] = links;
  expect(await new Link(server.api, last?.path ?? "", last?.id ?? "").output("value")).toBe("v1-2-3-4-5");
  // What an apply started was a member already.
  const { rows } = await client.query(
    "select count(*)::int as open from upstream_change where decided_at is null union all select count(*)::int from changeset",
  );
  expect(rows).toEqual([{ open: 0 }, { open: 1 }]);
});
