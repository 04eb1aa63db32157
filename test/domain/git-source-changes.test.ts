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
const change = (workspaceId: string, git: object): Promise<Data> =>
  scene.send("updateWorkspace", { workspaceId, source: { git } });
const issues = (answer: Data): string[] => answer.issues.map(({ path }: { path: string[] }) => path.join("."));

describe("a change of a git source", () => {
  const before = { url: URL, branch: "release", path: "prod" };

  it.each<[string, object, object]>([
    ["a branch", { branch: "next" }, { branch: "next" }],
    ["a folder", { path: "stage" }, { path: "stage" }],
    ["the address that it has", { url: URL }, {}],
    ["the address that it has and a branch", { url: URL, branch: "next" }, { branch: "next" }],
    ["null as its branch", { branch: null }, { branch: "main" }],
    ["null as its folder", { path: null }, { path: "." }],
    ["nothing", {}, {}],
    [
      "another address",
      { url: "https://git.example.com/b" },
      { url: "https://git.example.com/b", branch: "main", path: "." },
    ],
    ["another address with a folder", { url: `${URL}/`, path: "x" }, { url: `${URL}/`, branch: "main", path: "x" }],
  ])("that names %s keeps the rest while the repository is the same", async (_words, git, changed) => {
    const id = await created(before);
    expect((await change(id, git)).code).toBeUndefined();
    expect(await sourceOf(id)).toEqual({ ...before, repository: null, ...changed });
  });

  it("keeps the branch and the folder of a repository of a host, by its id alone", async () => {
    const { url } = await createRepository(scene.api, gitHostId, "acme/kept");
    const id = await created({ repositoryId, branch: "release", path: "prod" });
    const { repository, ...rest } = await sourceOf(id);
    await change(id, { path: "stage" });
    expect(await sourceOf(id)).toEqual({ ...rest, repository, path: "stage" });
    await change(id, { repositoryId, branch: "next" });
    expect(await sourceOf(id)).toEqual({ ...rest, repository, path: "stage", branch: "next" });
    // The address of the repository, without the repository, is another source.
    await change(id, { url: rest.url });
    expect(await sourceOf(id)).toEqual({ url: rest.url, repository: null, branch: "main", path: "." });
    expect(url).not.toBe(rest.url);
  });

  it.each<[string, object, string[]]>([
    ["no address", { url: null }, ["source.git.url"]],
    ["no repository", { repositoryId: null, branch: "a..b" }, ["source.git.url", "source.git.branch"]],
    ["a branch that is none", { branch: "a..b" }, ["source.git.branch"]],
    ["a folder outside", { path: "../x" }, ["source.git.path"]],
  ])("is refused with %s", async (_words, git, fields) => {
    const id = await created(before);
    expect(issues(await change(id, git))).toEqual(fields);
    expect(await sourceOf(id)).toMatchObject(before);
  });

  it("needs an address where the workspace has no git source", async () => {
    const id = await scene.createWorkspace();
    expect(issues(await change(id, { branch: "main" }))).toEqual(["source.git.url"]);
  });

  it("shows no other folder of a repository to callers who may not read all that uses it", async () => {
    const id = await created({ repositoryId, branch: "main", path: "mine" });
    const writer = { ...ADMIN, rights: rightsOf([onWorkspace("WRITER", id)]) };
    const refused = scene.server.domain.updateWorkspace(writer, {
      workspaceId: id,
      source: { git: { path: "other" } },
    });
    await expect(refused).rejects.toThrow("source.git.repositoryId: must be the id of a repository");
    expect((await sourceOf(id)).path).toBe("mine");
  });

  it("takes no null for a new workspace, which has nothing to clear", async () => {
    const source = { git: { url: URL, branch: null, path: null } };
    const answer = await scene.send("createWorkspace", { name: "cleared", source });
    expect(issues(answer)).toEqual(["source.git.branch", "source.git.path"]);
  });
});

describe("two people at the same time", () => {
  const both = async (id: string, first: object, second: object) => {
    const { deps } = scene.server;
    const save = (git: object, within = deps) => updateWorkspace(within, ADMIN, { workspaceId: id, source: { git } });
    return await overlapping(
      deps,
      (within) => save(first, within),
      () => save(second),
    );
  };

  it.each<[string, object, object]>([
    ["branch, then folder", { branch: "next" }, { path: "stage" }],
    ["folder, then branch", { path: "stage" }, { branch: "next" }],
    ["with the same address", { url: URL, branch: "next" }, { url: URL, path: "stage" }],
  ])("both keep their change: %s", async (_words, first, second) => {
    const id = await created({ url: URL, branch: "release", path: "prod" });
    expect((await both(id, first, second)).status).toBe("fulfilled");
    expect(await sourceOf(id)).toMatchObject({ url: URL, branch: "next", path: "stage" });
  });

  it("a branch follows the repository that another one has chosen", async () => {
    const id = await created({ url: URL, branch: "release", path: "prod" });
    const other = { url: "https://git.example.com/other.git", branch: "trunk", path: "x" };
    expect((await both(id, other, { branch: "next" })).status).toBe("fulfilled");
    expect(await sourceOf(id)).toMatchObject({ ...other, branch: "next" });
  });

  it("a branch is refused where another one has taken the repository away", async () => {
    const id = await created({ url: URL, branch: "release", path: "prod" });
    const path = await scene.server.makeSource("instead", { "main.tf": "" });
    const { deps } = scene.server;
    const answer = await overlapping(
      deps,
      (within) => updateWorkspace(within, ADMIN, { workspaceId: id, source: { directory: { path } } }),
      () => updateWorkspace(deps, ADMIN, { workspaceId: id, source: { git: { branch: "next" } } }),
    );
    expect(answer).toMatchObject({ status: "rejected", reason: { code: "INVALID_INPUT" } });
    expect((await scene.workspace(id)).source).toEqual({ path });
  });
});
