import { randomUUID } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLooks, type Looks } from "../../../src/domain/repository/looks.ts";
import { createReceiveHook } from "../../../src/domain/repository/receive-hook.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { claimLooks } from "../../../src/persistence/repository/look-store.ts";
import type { Data } from "../../support/api.ts";
import { TestRepository } from "../../support/git.ts";
import { APP_KEY } from "../../support/github.ts";
import { push } from "../../support/hook-delivery.ts";
import { createHost, createRepository, sendRepositoryCommand } from "../../support/repository-steps.ts";
import { readWebhookDeliveries, sendWebhookCommand } from "../../support/webhook-steps.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let looks: Looks;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, webhooks: true });
  looks = createLooks(scene.server.deps);
});
afterAll(async () => {
  await looks[Symbol.asyncDispose]();
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

// Repositories of other tests are left alone.
beforeEach(() => scene.rows("update repository_look set next_at = '2999-01-01', wanted = done"));

const failed = (error: unknown): never => {
  throw error;
};
/** Lets time pass, and does all looks that are due. */
async function round(ms: number = LIMITS.lookPauseMs): Promise<number> {
  scene.server.advance(ms);
  const begun = await looks.begin(failed);
  await looks.idle();
  return begun;
}
const MINUTES = 60_000;

/** A repository on the disk that is followed by a workspace. */
async function follow(trigger: object = { branch: "main" }, kind = "GIT") {
  const name = `r-${randomUUID()}`;
  const repository = new TestRepository(join(scene.server.sourceRoot, name));
  const first = repository.commit({ "main.tf": "" });
  const { gitHost } = await createHost(scene.api, { kind: "GIT", url: `file://${scene.server.sourceRoot}` });
  const { id } = await createRepository(scene.api, gitHost.id, name);
  const workspaceId = await scene.createWorkspace({ source: { git: { repositoryId: id } }, trigger });
  // Hosts whose repositories are on the disk send no hooks; the judgement about them is of the kind alone.
  await scene.rows("update git_host set kind = $2 where id = $1", gitHost.id, kind);
  await round();
  return { id, gitHostId: gitHost.id, repository, first, workspaceId };
}

async function changesOf(id: string): Promise<Data[]> {
  const query = `query ($id: ID!) { repository(id: $id) { changes(first: 100) {
    edges { node { ref before after forced foundBy decidedAt } } } } }`;
  const { repository } = await scene.api.ask(query, { id });
  return repository.changes.edges.map(({ node }: Data) => node);
}
async function healthOf(id: string): Promise<Data> {
  const query = "query ($id: ID!) { repository(id: $id) { hookHealth pollSeconds polledAt pollError defaultBranch } }";
  return (await scene.api.ask(query, { id })).repository;
}
const hint = (id: string) =>
  scene.rows("update repository_look set wanted = wanted + 1, hooked = wanted + 1 where repository_id = $1", id);
const send = (repositoryId: string) => sendRepositoryCommand(scene.api, "lookAtRepository", { repositoryId });

describe("a look", () => {
  it("finds nothing the first time, and then each push once", async () => {
    const { id, repository, first } = await follow();
    expect(await changesOf(id)).toEqual([]);
    expect(await healthOf(id)).toMatchObject({ pollError: null, pollSeconds: 60, hookHealth: "UNPROVEN" });
    const second = repository.commit({ "main.tf": "a" });
    const third = repository.commit({ "main.tf": "b" });
    expect(await round()).toBe(0);
    await round(66_000);
    expect(await changesOf(id)).toEqual([
      { ref: "refs/heads/main", before: first, after: third, forced: null, foundBy: "POLL", decidedAt: null },
    ]);
    expect(second).not.toBe(third);
    await round(66_000);
    expect(await changesOf(id)).toHaveLength(1);
  });

  it("finds branches that come and go, and tags that are new and moved", async () => {
    const { id, repository, first } = await follow({ branch: "release", tags: "v*" });
    repository.git("branch", "release");
    repository.git("tag", "v1");
    await round(66_000);
    const next = repository.commit({ "main.tf": "a" });
    repository.git("tag", "--force", "v1");
    repository.git("branch", "-D", "release");
    await round(66_000);
    const found = (await changesOf(id)).map(({ ref, before, after }) => [ref, before, after]);
    expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
      new Set(
        [
          ["refs/heads/release", null, first],
          ["refs/heads/release", first, null],
          ["refs/tags/v1", null, first],
          ["refs/tags/v1", first, next],
        ].map((one) => JSON.stringify(one)),
      ),
    );
  });

  it("finds ten thousand tags at once, and leaves those for decisions that start runs", async () => {
    const { id, repository, first } = await follow({ branch: "main", tags: "/^v1$|^v20$/" });
    const lines = Array.from({ length: 10_000 }, (_, index) => `create refs/tags/v${index} ${first}\n`);
    repository.gitWith(lines.join(""), "update-ref", "--stdin");
    await round(66_000);
    const open = "select ref, after from ref_change where repository_id = $1 and decided_at is null order by ref";
    expect(await scene.rows(open, id)).toEqual(["v1", "v20"].map((tag) => ({ ref: `refs/tags/${tag}`, after: first })));
    const [{ found, refs }] = await scene.rows(
      `select (select count(*)::int from ref_change where repository_id = $1) as found,
        (select count(*)::int from git_ref where repository_id = $1) as refs`,
      id,
    );
    expect([found, refs]).toEqual([10_000, 10_001]);
    repository.gitWith(lines.map((line) => line.replace("create", "delete")).join(""), "update-ref", "--stdin");
    await round(66_000);
    expect(await scene.rows(open, id)).toHaveLength(2);
    expect(await scene.rows("select ref from git_ref where repository_id = $1", id)).toEqual([
      { ref: "refs/heads/main" },
    ]);
  });

  it("is made at once after a hook, at most one a second, and once more for a hook meanwhile", async () => {
    const { id, repository } = await follow();
    repository.commit({ "main.tf": "a" });
    await hint(id);
    expect(await looks.begin(failed)).toBe(0);
    scene.server.advance(LIMITS.lookPauseMs);
    expect(await looks.begin(failed)).toBe(1);
    // Another one comes while it lasts.
    await hint(id);
    expect(await looks.begin(failed)).toBe(0);
    await looks.idle();
    expect(await changesOf(id)).toMatchObject([{ foundBy: "HOOK" }]);
    expect(await round()).toBe(1);
    expect(await round()).toBe(0);
    expect(await changesOf(id)).toHaveLength(1);
  });

  it("that was asked for comes before those by the clock", async () => {
    const polled = await follow();
    const hinted = await follow();
    await scene.rows("update repository_look set next_at = '2020-01-01' where repository_id = $1", polled.id);
    await hint(hinted.id);
    scene.server.advance(LIMITS.lookPauseMs);
    const at = scene.server.deps.clock().toISOString();
    const claim = { by: "server", at, until: at, notSince: at };
    const limits = { full: [], hosts: [], counts: [], perHost: 1 };
    const claimed = () => scene.server.deps.database.statement((statement) => claimLooks(statement, claim, limits, 1));
    expect(await claimed()).toMatchObject([{ repositoryId: hinted.id, isHooked: true }]);
    await scene.rows(
      "update repository_look set done = wanted, next_at = '2999-01-01' where repository_id = $1",
      hinted.id,
    );
    expect(await claimed()).toMatchObject([{ repositoryId: polled.id, isHooked: false }]);
    await scene.rows("update repository_look set next_at = '2999-01-01', lease_by = null, lease_until = null");
  });

  it("is made by one of several servers, and by another one if that is gone", async () => {
    const { id, repository, first } = await follow();
    const after = repository.commit({ "main.tf": "a" });
    await hint(id);
    scene.server.advance(LIMITS.lookPauseMs);
    const servers = Array.from({ length: 4 }, () => createLooks(scene.server.deps));
    const begun = await Promise.all(servers.map((server) => server.begin(failed)));
    expect(begun.toSorted((one, other) => one - other)).toEqual([0, 0, 0, 1]);
    await Promise.all(servers.map((server) => server.idle()));
    expect(await changesOf(id)).toHaveLength(1);
    // A server has begun a look and is never heard of again.
    await hint(id);
    const lease =
      "update repository_look set lease_by = 'gone', lease_until = $2, begun_at = $3 where repository_id = $1";
    const now = scene.server.deps.clock().getTime();
    await scene.rows(lease, id, new Date(now + LIMITS.lookLeaseMs).toISOString(), new Date(now).toISOString());
    repository.git("reset", "--quiet", "--hard", first);
    expect(await round(LIMITS.lookLeaseMs - 1)).toBe(0);
    expect(await round(1)).toBe(1);
    expect((await changesOf(id))[0]).toMatchObject({ before: after, after: first });
  });

  it("does not record what it found if it lasted too long", async () => {
    const { id, repository } = await follow();
    repository.commit({ "main.tf": "a" });
    await hint(id);
    scene.server.advance(LIMITS.lookPauseMs);
    const { refs } = scene.server.deps;
    const started = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const slow = createLooks({
      ...scene.server.deps,
      refs: {
        ...refs,
        async read(...asked) {
          const found = await refs.read(...asked);
          started.resolve();
          await over.promise;
          return found;
        },
      },
    });
    await slow.begin(failed);
    await started.promise;
    await round(LIMITS.lookLeaseMs);
    const known = await changesOf(id);
    expect(known).toHaveLength(1);
    over.resolve();
    await slow.idle();
    expect(await changesOf(id)).toEqual(known);
  });

  it("waits longer after each failure, which people see, and is made at once after a hook", async () => {
    const { id, repository } = await follow();
    const away = `${repository.folder}-away`;
    renameSync(repository.folder, away);
    const paused = async () => {
      const [row] = await scene.rows("select next_at, failures from repository_look where repository_id = $1", id);
      return Math.round((Date.parse(row.next_at) - scene.server.deps.clock().getTime()) / MINUTES);
    };
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      await round(33 * MINUTES);
      pauses.push(await paused());
    }
    expect(pauses.map((minutes, index) => Math.abs(minutes - ([1, 2, 4, 8, 16, 30][index] ?? 0)) <= 3)).toEqual(
      Array(6).fill(true),
    );
    expect((await healthOf(id)).pollError).toMatch(/^The repository /);
    scene.server.advance(LIMITS.lookPauseMs);
    expect(await send(id)).toMatchObject({ code: "HOST_UNREACHABLE" });
    renameSync(away, repository.folder);
    const after = repository.commit({ "main.tf": "a" });
    await hint(id);
    await round();
    expect(await changesOf(id)).toMatchObject([{ after, foundBy: "HOOK" }]);
    expect(await healthOf(id)).toMatchObject({ pollError: null });
  });

  it("says why an app gets no token", async () => {
    const host = { url: "https://10.0.0.1", appId: "4711", privateKey: APP_KEY };
    const { gitHost } = await createHost(scene.api, host);
    const { id } = await createRepository(scene.api, gitHost.id, "acme/infrastructure");
    const reason = "The host 10.0.0.1 has an internal address, which HOLDPOINT_GIT_ALLOW does not name.";
    expect(await send(id)).toMatchObject({ code: "HOST_UNREACHABLE", message: expect.stringContaining(reason) });
    expect((await healthOf(id)).pollError).toBe(reason);
  });

  it("can be asked for, and gives what it found", async () => {
    const { id, repository, first } = await follow();
    const after = repository.commit({ "main.tf": "a" });
    scene.server.advance(LIMITS.lookPauseMs);
    expect((await send(id)).changes).toMatchObject([
      { ref: "refs/heads/main", before: first, after, foundBy: "CALLER" },
    ]);
    scene.server.advance(LIMITS.lookPauseMs);
    expect((await send(id)).changes).toEqual([]);
  });
});

describe("the hooks of a repository", () => {
  it("are proven by three changes that they told of, and missing after three that polling found", async () => {
    const { id, repository } = await follow({ branch: "main" }, "GITHUB");
    const hook = { url: "https://example.com/", events: ["HOOK_MISSING"], organizationId: (await organization()).id };
    const { webhook } = await sendWebhookCommand(scene.api, "createWebhook", hook);
    for (let i = 0; i < 3; i++) {
      repository.commit({ "main.tf": `${i}` });
      await hint(id);
      await round();
    }
    expect(await healthOf(id)).toMatchObject({ hookHealth: "WORKING", pollSeconds: 600 });
    expect(await round(9 * MINUTES - 1)).toBe(0);
    for (let i = 3; i < 7; i++) {
      repository.commit({ "main.tf": `${i}` });
      await round(11 * MINUTES);
    }
    expect(await healthOf(id)).toMatchObject({ hookHealth: "MISSING", pollSeconds: 60 });
    const deliveries = await readWebhookDeliveries(scene.api, webhook.id);
    expect(deliveries.map(({ type }) => type)).toEqual(["repository.hook.missing"]);
    expect(JSON.parse(deliveries[0].payload).data).toMatchObject({
      repository: { id },
      message: expect.stringMatching(/^3 of the last 5 changes .* found by polling/),
    });
  });

  it("come to the look by way of the receiver", async () => {
    const { id, gitHostId, repository } = await follow({ branch: "main" }, "GITEA");
    const { hookSecret } = await sendRepositoryCommand(scene.api, "rotateHookSecret", { gitHostId });
    const [host] = await scene.rows("select hook_path from git_host where id = $1", gitHostId);
    const [row] = await scene.rows("select name from repository where id = $1", id);
    repository.commit({ "main.tf": "a" });
    const receive = createReceiveHook(scene.server.deps);
    expect(await receive({ hookPath: host.hook_path, ...push("GITEA", hookSecret, { name: row.name }) })).toBe(
      "ACCEPTED",
    );
    expect(await round()).toBe(1);
    expect(await changesOf(id)).toMatchObject([{ foundBy: "HOOK" }]);
  });
});

async function organization(): Promise<Data> {
  return (await scene.api.ask('{ organization(slug: "default") { id } }')).organization;
}
