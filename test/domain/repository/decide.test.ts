import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changesetRound } from "../../../src/domain/changeset/changeset-round.ts";
import { createLooks, type Looks } from "../../../src/domain/repository/looks.ts";
import type { Data } from "../../support/api.ts";
import { TestRepository } from "../../support/git.ts";
import { createHost, createRepository, decideAll } from "../../support/repository-steps.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let looks: Looks;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  looks = createLooks(scene.server.deps);
});
afterAll(async () => {
  await looks[Symbol.asyncDispose]();
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});
beforeEach(() => scene.rows("update repository_look set next_at = '2999-01-01', wanted = done"));

const failed = (error: unknown): never => {
  throw error;
};
async function look(): Promise<void> {
  scene.server.advance(66_000);
  await looks.begin(failed);
  await looks.idle();
}
/** Reads all repositories and does what follows. */
async function settle(): Promise<void> {
  await look();
  await decideAll(scene.server.deps);
  await changesetRound(scene.server.deps, new AbortController().signal);
}

const FILES = {
  "modules/net/main.tf": 'variable "x" {}\n',
  "one/main.tf": 'module "net" { source = "../modules/net" }\n',
  "two/main.tf": "",
  "README.md": "",
};

async function follow(triggers: Record<string, object> = { one: { branch: "main" }, two: { branch: "main" } }) {
  const name = `r-${randomUUID()}`;
  const repository = new TestRepository(join(scene.server.sourceRoot, name));
  repository.commit(FILES);
  const { gitHost } = await createHost(scene.api, { kind: "GIT", url: `file://${scene.server.sourceRoot}` });
  const { id } = await createRepository(scene.api, gitHost.id, name);
  const workspaces: Record<string, string> = {};
  for (const [path, trigger] of Object.entries(triggers)) {
    workspaces[path] = await scene.createWorkspace({ source: { git: { repositoryId: id, path } }, trigger });
  }
  await settle();
  return { id, repository, one: workspaces["one"] ?? "", two: workspaces["two"] ?? "" };
}

async function runsOf(workspaceId: string): Promise<Data[]> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(first: 50) { edges { node {
    id status kind trigger message revision createdBy { __typename }
    changeset { id source title state supersededBy { id } refChange { id ref after changeset { id } } }
    cause { ... on PushCause { ref commit change { id } } } supersededBy { id } inputs { digest } } } } } }`;
  const { workspace } = await scene.api.ask(query, { id: workspaceId });
  return workspace.runs.edges.map(({ node }: Data) => node);
}
async function lastChange(id: string): Promise<Data> {
  const query = `query ($id: ID!) { repository(id: $id) { changes(first: 1) { edges { node { id ref forced decidedAt
    changeset { title } decisions { edges { node { workspace { id } outcome reason run { id } } } } } } } } }`;
  return (await scene.api.ask(query, { id })).repository.changes.edges[0].node;
}
const reasons = (change: Data): Data[] =>
  change.decisions.edges.map(({ node }: Data) => [node.workspace.id, node.outcome, node.reason]);

describe("a push", () => {
  it("starts a run of the commit in each workspace that reads what changed, and in no other", async () => {
    const { id, repository, one, two } = await follow();
    const commit = repository.commit({ "modules/net/main.tf": 'variable "y" {}\n' });
    await settle();
    expect(await runsOf(one)).toMatchObject([
      {
        kind: "DEPLOY",
        trigger: "PUSH",
        message: "x",
        revision: commit,
        createdBy: { __typename: "SystemActor" },
        changeset: { source: "PUSH", title: "x" },
        cause: { ref: "refs/heads/main", commit },
      },
    ]);
    expect(await runsOf(two)).toEqual([]);
    const change = await lastChange(id);
    expect(change).toMatchObject({ forced: false, changeset: { title: "x" } });
    expect(reasons(change)).toEqual([[one, "RUN_CREATED", "AFFECTED"]]);
  });

  it("of documents starts nothing, and one that is taken back starts a run of what was before", async () => {
    const { id, repository, one } = await follow();
    repository.commit({ "README.md": "a", "one/README.md": "b" });
    await settle();
    expect(await runsOf(one)).toEqual([]);
    expect(reasons(await lastChange(id))).toEqual([]);
    repository.commit({ "one/main.tf": "# a" });
    await settle();
    repository.git("revert", "--no-edit", "HEAD");
    await settle();
    expect(await runsOf(one)).toHaveLength(2);
    // Both, while nothing looked.
    repository.commit({ "one/main.tf": "# b" });
    repository.git("revert", "--no-edit", "HEAD");
    await settle();
    expect(await runsOf(one)).toHaveLength(2);
  });

  it("that is forced is seen, and starts a run", async () => {
    const { id, repository, one } = await follow();
    repository.commit({ "one/main.tf": "# a" });
    await settle();
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    const commit = repository.commit({ "one/main.tf": "# b" });
    await settle();
    expect((await lastChange(id)).forced).toBe(true);
    expect((await runsOf(one))[0]).toMatchObject({ revision: commit });
    repository.git("checkout", "--quiet", "--detach");
    repository.git("branch", "--quiet", "-D", "main");
    await settle();
    expect(await lastChange(id)).toMatchObject({ changeset: null, decidedAt: expect.any(String) });
    expect(await runsOf(one)).toHaveLength(2);
  });

  it("whose message says so starts a run that is skipped, and no other one later", async () => {
    const { id, repository, one } = await follow();
    repository.git("commit", "--quiet", "--allow-empty", "--message=y");
    await settle();
    repository.commit({ "one/main.tf": "# a" });
    const message = `later [skip holdpoint]\n\n${"x".repeat(1024 * 1024)}`;
    repository.gitWith(message, "commit", "--quiet", "--amend", "--file=-");
    await settle();
    expect(await runsOf(one)).toMatchObject([{ status: "SKIPPED", message: "later [skip holdpoint]" }]);
    expect(reasons(await lastChange(id))).toEqual([[one, "SKIPPED", "MESSAGE_SAYS_SKIP"]]);
    repository.commit({ "README.md": "c" });
    await settle();
    expect(await runsOf(one)).toHaveLength(1);
  });

  it("without the folder of a workspace says so", async () => {
    const { id, repository, one } = await follow();
    repository.git("rm", "-r", "--quiet", "one");
    repository.git("commit", "--quiet", "--message=gone");
    await settle();
    expect(reasons(await lastChange(id))).toEqual([[one, "SKIPPED", "SOURCE_UNREADABLE"]]);
    expect(await runsOf(one)).toEqual([]);
  });
});

describe("newer commits", () => {
  it("leave one run at the gate, and none that is approved is touched", async () => {
    const { repository, one } = await follow();
    repository.commit({ "one/main.tf": "# 1" });
    await settle();
    const [first] = await runsOf(one);
    await (await scene.claim(first.id)).plan();
    repository.commit({ "one/main.tf": "# 2" });
    await settle();
    repository.commit({ "one/main.tf": "# 3" });
    await settle();
    const [third, second, old] = await runsOf(one);
    expect(old).toMatchObject({ id: first.id, status: "DISCARDED", supersededBy: { id: second.id } });
    expect(second).toMatchObject({ status: "CANCELED", supersededBy: { id: third.id } });
    expect((await scene.run(first.id, "reason")).reason).toBe("Run 2 of a newer commit supersedes it.");
    await (await scene.claim(third.id)).plan();
    await scene.quick("approveRun", { runId: third.id, gate: "PLAN", planVersion: 1 });
    repository.commit({ "one/main.tf": "# 4" });
    await settle();
    const [fourth, kept] = await runsOf(one);
    expect(kept).toMatchObject({ id: third.id, supersededBy: null });
    expect(["AWAITING_APPLY_APPROVAL", "CONFIRMED"]).toContain(kept.status);
    // Where nothing was superseded, nothing took the place of the changeset.
    expect(kept.changeset).toMatchObject({ state: "PLANNED", supersededBy: null });
    expect((await runsOf(one)).find(({ id: runId }) => runId === first.id)?.changeset).toMatchObject({
      state: "SUPERSEDED",
      supersededBy: { id: second.changeset.id },
      refChange: { ref: "refs/heads/main", changeset: { id: old.changeset.id } },
    });
    // Documents in between discard nothing.
    repository.commit({ "one/README.md": "a" });
    await settle();
    expect((await runsOf(one))[0]).toMatchObject({ id: fourth.id, status: "QUEUED" });
  });

  it("supersede a changeset by the one that has a run in its place, while its other runs go on", async () => {
    const { repository, one, two } = await follow();
    repository.commit({ "one/main.tf": "# 1", "two/main.tf": "# 1" });
    await settle();
    const [oldOne] = await runsOf(one);
    const [oldTwo] = await runsOf(two);
    for (const run of [oldOne, oldTwo]) await (await scene.claim(run.id)).plan();
    repository.commit({ "one/main.tf": "# 2" });
    await settle();
    const [newer] = await runsOf(one);
    const read = async () => (await runsOf(two))[0]?.changeset;
    expect(await read()).toMatchObject({
      id: oldOne.changeset.id,
      state: "PLANNED",
      supersededBy: { id: newer.changeset.id },
    });
    await scene.quick("discardRun", { runId: oldTwo.id });
    expect(await read()).toMatchObject({ state: "SUPERSEDED" });
    expect(newer.changeset.supersededBy).toBeNull();
  });

  it("leave a changeset SUPERSEDED whose run was being planned, and was stopped for them", async () => {
    const { repository, one } = await follow();
    repository.commit({ "one/main.tf": "# 1" });
    await settle();
    const [first] = await runsOf(one);
    const job = await scene.claim(first.id);
    repository.commit({ "one/main.tf": "# 2" });
    await settle();
    await job.message({ type: "stopped" });
    const [second, old] = await runsOf(one);
    expect(old).toMatchObject({ id: first.id, status: "STOPPED", supersededBy: { id: second.id } });
    expect(old.changeset).toMatchObject({ state: "SUPERSEDED", supersededBy: { id: second.changeset.id } });
  });

  it("leave a run that a person asked to plan again", async () => {
    const { repository, one } = await follow();
    repository.commit({ "one/main.tf": "# 1" });
    await settle();
    const [first] = await runsOf(one);
    await (await scene.claim(first.id)).plan();
    await scene.quick("replanRun", { runId: first.id, planVersion: 1 });
    repository.commit({ "one/main.tf": "# 2" });
    await settle();
    expect((await runsOf(one))[1]).toMatchObject({ id: first.id, status: "REPLAN_REQUESTED", supersededBy: null });
  });

  it("leave a run that a runner gave back, where only unstarted ones end", async () => {
    const { repository, two } = await follow({ two: { branch: "main", supersede: "UNSTARTED" } });
    repository.commit({ "two/main.tf": "# 1" });
    await settle();
    const [first] = await runsOf(two);
    await (await scene.claim(first.id)).message({ type: "handedBack" });
    repository.commit({ "two/main.tf": "# 2" });
    await settle();
    expect((await runsOf(two))[1]).toMatchObject({ id: first.id, status: "READY", supersededBy: null });
  });

  it("end nothing, or what did not start, where the workspace says so", async () => {
    const { repository, one, two } = await follow({
      one: { branch: "main", supersede: "NOTHING" },
      two: { branch: "main", supersede: "UNSTARTED" },
    });
    for (const text of ["# 1", "# 2"]) {
      repository.commit({ "one/main.tf": text, "two/main.tf": text });
      await settle();
      const [newest] = await runsOf(two);
      if (text === "# 1") await (await scene.claim(newest.id)).plan();
    }
    repository.commit({ "one/main.tf": "# 3", "two/main.tf": "# 3" });
    await settle();
    expect((await runsOf(one)).map(({ status }) => status)).toEqual([
      "QUEUED",
      "QUEUED",
      expect.stringMatching(/READY|PREPARING/),
    ]);
    expect((await runsOf(two)).map(({ status }) => status)).toEqual(["QUEUED", "CANCELED", "AWAITING_PLAN_APPROVAL"]);
  });
});

describe("a tag", () => {
  it("starts a run of its commit when it is new and matches, and none when it moves", async () => {
    const { id, repository, one, two } = await follow({ one: { tags: "v*" }, two: { tags: "/^release-[0-9]+$/" } });
    const first = repository.git("rev-parse", "HEAD");
    repository.commit({ "two/main.tf": "# a" });
    repository.git("tag", "v1", first);
    await settle();
    expect(await runsOf(one)).toMatchObject([{ trigger: "TAG", revision: first, cause: { ref: "refs/tags/v1" } }]);
    expect(await runsOf(two)).toEqual([]);
    repository.git("tag", "--force", "v1");
    await settle();
    expect(reasons(await lastChange(id))).toEqual([[one, "SKIPPED", "TAG_MOVED"]]);
    repository.git("tag", "--delete", "v1");
    repository.git("tag", "--annotate", "--message=x", "release-1");
    await settle();
    expect(await runsOf(one)).toHaveLength(1);
    expect(await runsOf(two)).toMatchObject([{ trigger: "TAG", revision: repository.git("rev-parse", "HEAD") }]);
  });

  it("starts a run where it is if it has moved before it was decided", async () => {
    const { id, repository, one } = await follow({ one: { tags: "v*" } });
    repository.git("tag", "v1");
    await look();
    const moved = repository.commit({ "README.md": "a" });
    repository.git("tag", "--force", "v1");
    await settle();
    expect(await runsOf(one)).toMatchObject([{ trigger: "TAG", revision: moved }]);
    repository.commit({ "README.md": "b" });
    repository.git("tag", "--force", "v1");
    await settle();
    expect(reasons(await lastChange(id))).toEqual([[one, "SKIPPED", "TAG_MOVED"]]);
    expect(await runsOf(one)).toHaveLength(1);
  });
});

it("decides a change once on several servers, and again later if the host is away", async () => {
  const { id, repository, one } = await follow();
  repository.commit({ "one/main.tf": "# a" });
  await look();
  await Promise.all(Array.from({ length: 4 }, () => decideAll(scene.server.deps)));
  await changesetRound(scene.server.deps, new AbortController().signal);
  expect(await runsOf(one)).toHaveLength(1);
  const [row] = await scene.rows(
    "select count(*)::int as count from changeset where title = 'x' and id = (select changeset_id from ref_change where repository_id = $1)",
    id,
  );
  expect(row.count).toBe(1);
});
