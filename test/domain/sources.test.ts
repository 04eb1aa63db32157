import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { TestRepository } from "../support/git.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let repository: TestRepository;
beforeAll(async () => {
  scene = await openScene();
  repository = new TestRepository(join(scene.server.sourceRoot, "repository"));
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

const git = (more: object = {}) => ({ source: { git: { url: `file://${repository.folder}`, ...more } } });
const revision = async (id: string): Promise<string> =>
  (await scene.api.ask("query ($id: ID!) { run(id: $id) { revision } }", { id })).run.revision;

it("a workspace of a repository shows where its configuration comes from", async () => {
  const id = await scene.createWorkspace(git({ path: "./envs//prod/" }));
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { source { ... on GitSource { url branch path } } } }`;
  expect((await scene.api.ask(query, { id })).workspace.source).toEqual({
    url: `file://${repository.folder}`,
    branch: "main",
    path: "envs/prod",
  });
});

it("a run has the commit that the branch pointed to when it was created", async () => {
  const workspaceId = await scene.createWorkspace(git());
  const first = repository.commit({ "main.tf": "one" });
  const one = await scene.createRun(workspaceId);
  const second = repository.commit({ "main.tf": "two" });
  const two = await scene.createRun(workspaceId);
  expect([await revision(one), await revision(two)]).toEqual([first, second]);
  const job = await scene.claim(one);
  const digest = (
    await scene.rows("select digest from blob b join run r on r.source_blob_id = b.id where r.id = $1", one)
  )[0];
  // What the runner checks is the archive, which is not the commit.
  expect(job.job.source?.digest).toBe(digest.digest);
  expect(job.job.source?.digest).not.toBe(first);
});

it("the variables for git are not the engine's", async () => {
  repository.commit({ "main.tf": "" });
  const workspaceId = await scene.createWorkspace(git());
  for (const key of ["HOLDPOINT_GIT_PASSWORD", "HOLDPOINT_GIT_SSH_KEY", "OTHER"]) {
    const input = { workspaceId, key, value: "s3cret-value", sensitive: true, category: "ENVIRONMENT" };
    expect(await scene.send("setVariable", input)).toMatchObject({ __typename: "SetVariableSuccess" });
  }
  const open = { workspaceId, key: "HOLDPOINT_GIT_PASSWORD", value: "x", category: "ENVIRONMENT" };
  expect(await scene.send("setVariable", open)).toMatchObject({ issues: [{ path: ["sensitive"] }] });
  const { job } = await scene.claim(await scene.createRun(workspaceId));
  expect(job.variables.map(({ key }) => key)).toEqual(["OTHER"]);
});

describe("what cannot be fetched", () => {
  it.each([
    ["url", { url: "--upload-pack=touch /tmp/x" }],
    ["url", { url: "ext::sh -c id" }],
    ["url", { url: "https://ada:s3cret@example.com/a" }],
    ["url", { url: "https://example.com/a\n--x" }],
    ["url", { url: "file:///etc" }],
    ["branch", { branch: "--upload-pack=x" }],
    ["path", { path: "../.." }],
  ])("is refused when the workspace is created: %s %j", async (field, more) => {
    const answer = await scene.send("createWorkspace", { name: "bad", ...git(more) });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["source", "git", field] }] });
    expect(JSON.stringify(answer)).not.toContain("s3cret");
  });

  it("is refused with all that is wrong", async () => {
    const more = { url: "ext::x", branch: "", path: "/" };
    const { issues } = await scene.send("createWorkspace", { name: "bad", ...git(more) });
    expect(issues.map(({ path }: Data) => path[2])).toEqual(["url", "branch", "path"]);
  });

  it("is refused when a run is created, which leaves nothing behind", async () => {
    await mkdir(join(scene.server.sourceRoot, "no-repository"));
    repository.commit({ "main.tf": "" });
    const cases = [
      ["branch", git({ branch: "gone" })],
      ["path", git({ path: "gone" })],
      ["url", git({ url: `file://${scene.server.sourceRoot}/no-repository` })],
    ] as const;
    for (const [field, workspace] of cases) {
      const workspaceId = await scene.createWorkspace(workspace);
      const answer = await scene.send("createRun", { workspaceId });
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["source", "git", field] }] });
      expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(0);
    }
    const beside = (await readdir(join(scene.server.sourceRoot, ".."))).filter((name) =>
      join(scene.server.sourceRoot, "..", name).startsWith(`${scene.server.sourceRoot}-git-`),
    );
    for (const folder of beside) {
      expect(await readdir(join(scene.server.sourceRoot, "..", folder, "work"))).toEqual([]);
    }
  });
});
