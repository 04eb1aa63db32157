/** Triggers of a real server whose runs policies deny: each leaves one run, SKIPPED with the reason, also if the server is killed while it judges. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import type { Api, Data } from "../support/api.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { type GitServer, startGitServer } from "../support/git.ts";
import { deliver, push } from "../support/hook-delivery.ts";
import { createMonorepo, type Monorepo } from "../support/monorepo.ts";
import { createPolicySet, pushVersion } from "../support/policy-steps.ts";
import { createHost, createRepository, followFolder, sendRepositoryCommand } from "../support/repository-steps.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 50 };
const NAME = "acme/mono";

let root: string;
let database: TestDatabase;
let client: Client;
let git: GitServer;
let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-denied-")));
  database = await createTestDatabase();
  client = new Client({ ...database.connection });
  await client.connect();
  git = await startGitServer(root, "git", "password");
  dataDir = await makeDataDir();
  server = await start();
});
afterAll(async () => {
  await server.killGroup();
  await git[Symbol.asyncDispose]();
  await client.end();
  await removeDataDir(dataDir);
  await database[Symbol.asyncDispose]();
  rmSync(root, { recursive: true });
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({
    dataDir,
    env: {
      DATABASE_URL: database.url,
      HOLDPOINT_RUNNER_SLOTS: "0",
      HOLDPOINT_GIT_ALLOW: "127.0.0.1",
      SSL_CERT_FILE: git.certificateFile,
    },
  });

/** The runs of a workspace by a trigger. */
async function runsOf(api: Api, workspaceId: string, trigger: string): Promise<Data[]> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(first: 50) { edges { node { trigger status reason
    policyEvaluations { point status } } } } } }`;
  const { workspace } = await api.ask(query, { id: workspaceId });
  return workspace.runs.edges.map(({ node }: Data) => node).filter((run: Data) => run["trigger"] === trigger);
}

/** Waits until all that was found has its runs. */
async function settled(): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await client.query(`select
      (select count(*) from repository_look where wanted > done or lease_by is not null)
      + (select count(*) from ref_change where decided_at is null)
      + (select count(*) from changeset_member where run_id is null and problem is null) as open`);
    return rows[0].open === "0";
  }, PATIENCE);
}

async function createSchedule(api: Api, workspaceId: string): Promise<string> {
  const query = `mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) {
    ... on CreateScheduleSuccess { schedule { id } } ... on UserError { message } } }`;
  const times = { organizationId: DEFAULT_ORGANIZATION_ID, name: "nightly", cron: "0 3 1 1 *" };
  return (await api.ask(query, { input: { ...times, workspaceId, action: "RUN" } })).createSchedule.schedule.id;
}

/** A rule that takes its time, and finds a violation if it gets to its end. */
const DIGITS = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]";
const LONG = ["a", "b", "c", "d"].reduceRight((inner, name) => `${DIGITS}.all(${name}, ${inner})`, "a + b + c >= 0");
const ruleOf = (when: string): object => ({
  name: "quiet",
  level: "MANDATORY",
  point: "RUN_CREATE",
  each: "PLAN",
  when: `run.trigger != 'MANUAL' && ${when}`,
  message: "{{run.trigger}} starts nothing in {{workspace.name}}.",
});

it("ends SKIPPED with the reason: a push, a tag and a schedule, and a push whose server is killed", async () => {
  const monorepo: Monorepo = createMonorepo(join(root, `${NAME}.git`), { workspaces: 2, modules: 1, seed: 3 });
  const { gitHost, hookSecret } = await createHost(server.api, { kind: "GITEA", url: git.url, token: "password" });
  const { id: repositoryId } = await createRepository(server.api, gitHost.id, NAME);
  const [quiet = "", free = ""] = await Promise.all(
    monorepo.workspaces.map((path) => followFolder(server.api, repositoryId, path, { branch: "main", tags: "v*" })),
  );
  await sendRepositoryCommand(server.api, "lookAtRepository", { repositoryId });
  const { policySet } = await createPolicySet(server.api, { selector: { workspaceIds: [quiet] } });
  const activate = async (when: string): Promise<void> => {
    const rules = [ruleOf(when)];
    const pushed = await pushVersion(server.api, { policySetId: policySet.id, rules, state: "ACTIVE" });
    expect(pushed).toMatchObject({ version: { state: "ACTIVE" } });
  };
  await activate("true");
  let count = 0;
  const hook = async (): Promise<void> => {
    const delivery = push("GITEA", hookSecret, { name: NAME, delivery: `d-${(count += 1)}` });
    expect(await deliver(server.url, gitHost.hookPath, delivery)).toBe(202);
  };
  const both = (text: string): Record<string, string> =>
    Object.fromEntries(monorepo.workspaces.map((path) => [`${path}/extra.tf`, `# ${text}\n`]));
  /** The one run of a trigger in the quiet workspace was skipped, and the other workspace has one as well, which waits. */
  const expectSkipped = async (trigger: string, runs = 1): Promise<void> => {
    const skipped = await runsOf(server.api, quiet, trigger);
    const line = {
      status: "SKIPPED",
      reason: expect.stringContaining(`${trigger} starts nothing in live-w-000-dev.`),
      policyEvaluations: [{ point: "RUN_CREATE", status: "FAILED" }],
    };
    expect(skipped).toHaveLength(runs);
    for (const run of skipped) expect(run).toMatchObject(line);
  };

  monorepo.push(both("pushed"));
  await hook();
  await settled();
  await expectSkipped("PUSH");
  expect(await runsOf(server.api, free, "PUSH")).toMatchObject([{ status: "READY", policyEvaluations: [] }]);

  monorepo.git("tag", "v1", "main");
  await hook();
  await settled();
  await expectSkipped("TAG");
  expect(await runsOf(server.api, free, "TAG")).toHaveLength(1);

  const scheduleId = await createSchedule(server.api, quiet);
  await client.query("update schedule set next_at = now() where id = $1", [scheduleId]);
  await waitUntil(async () => (await runsOf(server.api, quiet, "SCHEDULE")).length > 0, PATIENCE);
  await expectSkipped("SCHEDULE");

  // The members are there, and their runs are not yet: policies judge them, or will. No run is stored before the kill.
  await activate(LONG);
  await client.query(`create function hold() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(42); return new; end $$`);
  await client.query("create trigger held before insert on run for each row execute function hold()");
  await client.query("select pg_advisory_lock(42)");
  monorepo.push(both("pushed again"));
  await hook();
  const open = "select from changeset_member where run_id is null and problem is null";
  await waitUntil(async () => (await client.query(open)).rowCount !== 0, { timeout: RECOVERY_MS, interval: 5 });
  await server.killGroup();
  await client.query("select pg_advisory_unlock(42)");
  await client.query("drop trigger held on run");
  expect(await client.query("select from run where trigger = 'PUSH' and workspace_id = $1", [quiet])).toMatchObject({
    rowCount: 1,
  });
  server = await start();
  await settled();
  await expectSkipped("PUSH", 2);
  expect(await runsOf(server.api, free, "PUSH")).toHaveLength(2);
});
