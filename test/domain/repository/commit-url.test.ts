/** The pages of commits: kept with each run, and hidden with it. */
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { membersWithAppliedSource } from "../../../src/domain/schedule/applied-source.ts";
import type { PostgresConnection } from "../../../src/persistence/embedded/embedded-postgres.ts";
import type { Api, Data } from "../../support/api.ts";
import { createTestDatabase } from "../../support/database.ts";
import { TestRepository } from "../../support/git.ts";
import { addMachine } from "../../support/machine.ts";
import { createHost, createRepository, sendRepositoryCommand } from "../../support/repository-steps.ts";
import { createStatementLog, kindsOf } from "../../support/statement-log.ts";
import { openScene, type Scene } from "../scene.ts";

const HOST = "https://git.acme.example";

const log = createStatementLog();
let scene: Scene;
let repository: TestRepository;
beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  const connection = { ...testDatabase.connection, Client: log.Client } as PostgresConnection;
  const existing = { testDatabase: { ...testDatabase, connection }, masterKey: randomBytes(32) };
  scene = await openScene(1000, { existing, standing: true });
  repository = new TestRepository(join(scene.server.sourceRoot, "served"));
  repository.commit({ "main.tf": "" });
  const { git } = scene.server.deps;
  const fetch = git.fetch.bind(git);
  // What hosts that are not there would serve comes from the disk.
  vi.spyOn(git, "fetch").mockImplementation((source, access, options) =>
    source.url.startsWith("file:")
      ? fetch(source, access, options)
      : fetch({ ...source, url: `file://${repository.folder}` }, [], options),
  );
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

/** A workspace whose source is a repository of a new host. */
async function follow(kind: string, url: string, name: string): Promise<{ id: string; workspaceId: string }> {
  const { gitHost } = await createHost(scene.api, { kind, url, token: "canary-token" });
  const { id } = await createRepository(scene.api, gitHost.id, name);
  return { id, workspaceId: await scene.createWorkspace({ source: { git: { repositoryId: id } } }) };
}

const pageOf = async (runId: string, api: Api = scene.api): Promise<Data> =>
  (await api.ask("query ($id: ID!) { run(id: $id) { revision commitUrl } }", { id: runId })).run;

it("is that of the commit at its host, also in lists", async () => {
  const { workspaceId } = await follow("GITLAB", `${HOST}/gitlab`, "acme/team/infra");
  const runId = await scene.createRun(workspaceId);
  const commit = repository.git("rev-parse", "HEAD");
  const page = { revision: commit, commitUrl: `${HOST}/gitlab/acme/team/infra/-/commit/${commit}` };
  expect(await pageOf(runId)).toEqual(page);
  const list = "query ($id: ID!) { runs(filter: { workspaceId: $id }) { edges { node { revision commitUrl } } } }";
  expect((await scene.api.ask(list, { id: workspaceId })).runs.edges).toEqual([{ node: page }]);
});

it("stays with the source: retries and applies keep it when the repository has another name", async () => {
  const { id, workspaceId } = await follow("GITHUB", HOST, "acme/before");
  const planRunId = await scene.plan(workspaceId);
  const old = await pageOf(planRunId);
  expect(old.commitUrl).toBe(`${HOST}/acme/before/commit/${old.revision}`);
  await sendRepositoryCommand(scene.api, "updateRepository", { repositoryId: id, name: "acme/after" });
  repository.commit({ "main.tf": `# ${randomUUID()}` });
  expect(await pageOf(await scene.createRun(workspaceId, { kind: "APPLY", planRunId }))).toEqual(old);
  expect(await pageOf(await scene.quick("retryRun", { runId: planRunId }))).toEqual(old);
  const current = await pageOf(await scene.createRun(workspaceId, { kind: "PLAN" }));
  expect(current.commitUrl).toBe(`${HOST}/acme/after/commit/${current.revision}`);
  expect(current.revision).not.toBe(old.revision);
});

it("stays with what was applied, which checks for drift plan again", async () => {
  const { workspaceId } = await follow("FORGEJO", HOST, "acme/applied");
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await (await scene.claim(runId)).apply(1);
  const { commitUrl } = await pageOf(runId);
  expect(commitUrl).toContain(`${HOST}/acme/applied/commit/`);
  const order = {
    workspaceId,
    wave: 0,
    cause: null,
    source: null,
    scheduledAt: null,
    skipReason: null,
    isByEdge: false,
  };
  const found = await membersWithAppliedSource(scene.server.deps.database, [order], "DETECT_DRIFT");
  expect(found.members.map(({ source }) => source?.commitUrl)).toEqual([commitUrl]);
});

it("is null without a git host that has pages", async () => {
  const plain = await follow("GIT", HOST, "acme/plain");
  const own = await scene.createWorkspace({ source: { git: { url: `file://${repository.folder}` } } });
  const folder = await scene.createWorkspace();
  for (const workspaceId of [plain.workspaceId, own, folder]) {
    const { revision, commitUrl } = await pageOf(await scene.createRun(workspaceId));
    expect([typeof revision, commitUrl]).toEqual(["string", null]);
  }
});

it("is read with the run, by no statement of its own, and hidden as the run and its source are", async () => {
  const { workspaceId } = await follow("GITEA", HOST, "acme/hidden");
  const runId = await scene.createRun(workspaceId);
  const page = await pageOf(runId);
  expect(page.commitUrl).toBe(`${HOST}/acme/hidden/commit/${page.revision}`);
  log.take();
  await scene.api.ask("query ($id: ID!) { run(id: $id) { revision } }", { id: runId });
  const without = log.take().flatMap(kindsOf);
  await pageOf(runId);
  expect(log.take().flatMap(kindsOf)).toEqual(without);
  const reader = await addMachine(scene.server.url, scene.api, ["READER", workspaceId]);
  const stranger = await addMachine(scene.server.url, scene.api, ["READER", await scene.createWorkspace()]);
  expect(await pageOf(runId, reader)).toEqual(page);
  expect(await pageOf(runId, stranger)).toBeNull();
});
