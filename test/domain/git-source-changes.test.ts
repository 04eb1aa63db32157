import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateWorkspace } from "../../src/domain/workspace/update-workspace.ts";
import { rightsOf } from "../../src/model/people/rights.ts";
import type { Data } from "../support/api.ts";
import { ADMIN } from "../support/line.ts";
import { overlapping } from "../support/overlapping.ts";
import { createHost, createRepository } from "../support/repository-steps.ts";
import { onWorkspace } from "../support/rights.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let repositoryId: string;
let gitHostId: string;
beforeAll(async () => {
  scene = await openScene();
  gitHostId = (await createHost(scene.api)).gitHost.id;
  repositoryId = (await createRepository(scene.api, gitHostId)).id;
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const URL = "https://git.example.com/infra.git";
const QUERY = `query ($id: ID!) { workspace(by: { id: $id }) { source { ... on GitSource { url branch path repository { id } } } } }`;
const sourceOf = async (id: string): Promise<Data> => (await scene.api.ask(QUERY, { id })).workspace.source;
const created = (git: object): Promise<string> => scene.createWorkspace({ source: { git } });
const change = (workspaceId: string, gitSource: object | null, rest: object = {}): Promise<Data> =>
  scene.send("updateWorkspace", { workspaceId, gitSource, ...rest });
const issues = (answer: Data): string[] => answer.issues.map(({ path }: { path: string[] }) => path.join("."));

describe("a change of a git source", () => {
  const before = { url: URL, branch: "release", path: "prod" };

  it.each<[string, object, object]>([
    ["a branch", { branch: "next" }, { branch: "next" }],
    ["a folder", { path: "stage" }, { path: "stage" }],
    ["both", { branch: "next", path: "." }, { branch: "next", path: "." }],
    ["nothing", {}, {}],
  ])("that names %s keeps the rest", async (_words, git, changed) => {
    const id = await created(before);
    expect((await change(id, git)).code).toBeUndefined();
    expect(await sourceOf(id)).toEqual({ ...before, repository: null, ...changed });
  });

  it("keeps the repository of a host", async () => {
    const id = await created({ repositoryId, branch: "release", path: "prod" });
    const { repository, ...rest } = await sourceOf(id);
    expect(repository).toEqual({ id: repositoryId });
    await change(id, { path: "stage" });
    await change(id, { branch: "next" });
    expect(await sourceOf(id)).toEqual({ ...rest, repository, path: "stage", branch: "next" });
  });

  it.each<[string, object | null, string[]]>([
    ["null", null, ["gitSource"]],
    ["null as its branch", { branch: null }, ["gitSource.branch"]],
    ["a branch that is none", { branch: "a..b" }, ["gitSource.branch"]],
    ["a folder outside, and no branch", { path: "../x", branch: null }, ["gitSource.branch", "gitSource.path"]],
  ])("is refused with %s", async (_words, git, fields) => {
    const id = await created(before);
    expect(issues(await change(id, git))).toEqual(fields);
    expect(await sourceOf(id)).toMatchObject(before);
  });

  it("is refused beside a whole source, and where the workspace has none in git", async () => {
    const id = await created(before);
    expect(issues(await change(id, { path: "x" }, { source: { git: before } }))).toEqual(["gitSource"]);
    expect(issues(await change(await scene.createWorkspace(), { branch: "main" }))).toEqual(["gitSource"]);
  });

  it("shows no other folder of a repository to callers who may not read all that uses it", async () => {
    const id = await created({ repositoryId, branch: "main", path: "mine" });
    const writer = { ...ADMIN, rights: rightsOf([onWorkspace("WRITER", id)]) };
    const refused = scene.server.domain.updateWorkspace(writer, {
      workspaceId: id,
      gitSource: { path: "other" },
    });
    await expect(refused).rejects.toThrow("gitSource: cannot be changed: the source is a repository of a git host");
    expect((await sourceOf(id)).path).toBe("mine");
  });
});

describe("two people at the same time", () => {
  const both = async (id: string, first: object, second: object) => {
    const { deps } = scene.server;
    const save = (input: object, within = deps) => updateWorkspace(within, ADMIN, { workspaceId: id, ...input });
    return await overlapping(
      deps,
      (within) => save(first, within),
      () => save(second),
    );
  };

  it.each<[string, object, object]>([
    ["branch, then folder", { gitSource: { branch: "next" } }, { gitSource: { path: "stage" } }],
    ["folder, then branch", { gitSource: { path: "stage" } }, { gitSource: { branch: "next" } }],
  ])("both keep their change: %s", async (_words, first, second) => {
    const id = await created({ url: URL, branch: "release", path: "prod" });
    expect((await both(id, first, second)).status).toBe("fulfilled");
    expect(await sourceOf(id)).toMatchObject({ url: URL, branch: "next", path: "stage" });
  });

  it("a branch follows the repository that another one has chosen", async () => {
    const id = await created({ url: URL, branch: "release", path: "prod" });
    const other = { url: "https://git.example.com/other.git", branch: "trunk", path: "x" };
    expect((await both(id, { source: { git: other } }, { gitSource: { branch: "next" } })).status).toBe("fulfilled");
    expect(await sourceOf(id)).toMatchObject({ ...other, branch: "next" });
  });

  it("a branch is refused where another one has taken the repository away", async () => {
    const id = await created({ url: URL, branch: "release", path: "prod" });
    const path = await scene.server.makeSource("instead", { "main.tf": "" });
    const { deps } = scene.server;
    const answer = await overlapping(
      deps,
      (within) => updateWorkspace(within, ADMIN, { workspaceId: id, source: { directory: { path } } }),
      () => updateWorkspace(deps, ADMIN, { workspaceId: id, gitSource: { branch: "next" } }),
    );
    expect(answer).toMatchObject({ status: "rejected", reason: { code: "INVALID_INPUT" } });
    expect((await scene.workspace(id)).source).toEqual({ path });
  });
});
