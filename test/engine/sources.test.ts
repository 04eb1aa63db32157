/** A real engine on configurations that do not lie on the server's disk, and on a state that it did not make here. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { type GitServer, startGitServer, TestRepository } from "../support/git.ts";
import { installedEnginePath } from "../support/installed-engine.ts";
import { packed } from "../support/tar.ts";
import { formsOf, holds, searchDatabase, searchFolder } from "./canary-search.ts";
import type { CreateWorkspaceInput } from "../support/generated/graphql.ts";
import { createWorkspaceOf } from "../support/run-steps.ts";
import {
  changesOf,
  data,
  type Holdpoint,
  provisioner,
  startHoldpoint,
  TestWorkspace,
  writeFiles,
} from "../e2e/holdpoint.ts";

const PASSWORD = "git-canary-Mx7q+/Ty=2z";

let folder: string;
let repositories: GitServer;
let repository: TestRepository;
let holdpoint: Holdpoint;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-remote-")));
  repository = new TestRepository(join(folder, "infra"));
  repositories = await startGitServer(folder, "ada", PASSWORD);
  holdpoint = await startHoldpoint({ SSL_CERT_FILE: repositories.certificateFile, HOLDPOINT_GIT_ALLOW: "127.0.0.1" });
});
afterAll(async () => {
  await holdpoint[Symbol.asyncDispose]();
  await repositories[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function create(name: string, source: CreateWorkspaceInput["source"]): Promise<TestWorkspace> {
  return new TestWorkspace(holdpoint.api, "", await createWorkspaceOf(holdpoint.api, { name, source }));
}

/** A workspace of a repository on the server of these tests, with its password. */
async function createFromGit(name: string, path: string): Promise<TestWorkspace> {
  const workspace = await create(`from-${name}`, { git: { url: `${repositories.url}/${name}/.git`, path } });
  await workspace.setVariable({ key: "HOLDPOINT_GIT_USERNAME", value: "ada", category: "ENVIRONMENT" });
  const secret = { sensitive: true, category: "ENVIRONMENT" } as const;
  await workspace.setVariable({ key: "HOLDPOINT_GIT_PASSWORD", value: PASSWORD, ...secret });
  return workspace;
}

async function send(path: string, body: Buffer, type: string): Promise<Data> {
  const headers = { authorization: `Bearer ${holdpoint.api.token}`, "content-type": type };
  const response = await fetch(`${holdpoint.api.url}${path}`, { method: "POST", headers, body: new Uint8Array(body) });
  return response.json();
}

const configuration = (value: string): string => `
  module "part" { source = "./part" }
  ${data("a", `input = "${value}"\n${provisioner("env | grep -c HOLDPOINT_GIT || true; echo ran")}`)}
  output "value" { value = "\${terraform_data.a.output} \${module.part.word}" }`;

describe("a private repository", () => {
  it("is applied at the commit that was planned, and its password is nowhere", async () => {
    const part = 'output "word" { value = "part" }';
    const planned = repository.commit({ "envs/prod/main.tf": configuration("one"), "envs/prod/part/main.tf": part });
    const url = `${repositories.url}/infra/.git`;
    const workspace = await create("from-git", { git: { url, path: "envs/prod" } });
    expect(await workspace.tryToCreateRun()).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: ["source", "git", "url"], message: expect.stringContaining("could not be fetched") }],
    });
    const secret = { sensitive: true, category: "ENVIRONMENT" } as const;
    await workspace.setVariable({ key: "HOLDPOINT_GIT_USERNAME", value: "ada", category: "ENVIRONMENT" });
    await workspace.setVariable({ key: "HOLDPOINT_GIT_PASSWORD", value: "wrong", ...secret });
    const refused = await workspace.tryToCreateRun();
    expect(refused).toMatchObject({ message: expect.stringContaining("Authentication failed") });
    await workspace.setVariable({ key: "HOLDPOINT_GIT_PASSWORD", value: PASSWORD, ...secret });

    const run = await workspace.plan();
    repository.commit({ "envs/prod/main.tf": configuration("two") });
    const finished = await workspace.finish(run.id);
    expect(finished).toMatchObject({ outcome: "APPLIED", revision: planned });
    expect((await workspace.read()).outputs).toEqual([{ name: "value", value: "one part", sensitive: false }]);
    const lines = (await workspace.log(run.id)).map(({ text }) => text);
    expect(lines.filter((text) => /\(local-exec\): (?:0|ran)$/.test(text))).toHaveLength(2);

    const forms = formsOf(PASSWORD);
    expect(holds(holdpoint.server.output(), forms)).toBe(false);
    expect(lines.some((line) => holds(line, forms))).toBe(false);
    expect(await searchDatabase(holdpoint.database, forms)).toEqual([]);
    expect(await searchFolder(holdpoint.server.dataDir, forms)).toEqual([]);
    expect(await searchFolder(join(holdpoint.server.dataDir, "git"), [Buffer.from("fetch-")])).toEqual([]);
  });
});

describe("a repository of many folders", () => {
  const output = (value: string): string => `output "word" { value = "${value}" }\n`;
  const FILES = {
    "live/eu/prod/main.tf": `
      variable "region" {}
      module "app" { source = "../../../modules/app" }
      module "linked" { source = "./linked" }
      ${data("a", 'input = "${var.region} ${module.app.word} ${module.linked.word}"')}
      ${data("where", provisioner("pwd; ls -d .terraform"))}
      output "value" { value = terraform_data.a.output }`,
    "live/eu/prod/common.auto.tfvars": { link: "../../../shared/common.tfvars" },
    "live/eu/prod/linked": { link: "../../../modules/linked" },
    "live/us/main.tf": 'output "not" { value = "packed" }',
    "shared/common.tfvars": 'region = "eu"\n',
    "shared/text.tpl": "text",
    "modules/app/main.tf": `module "layer" { source = "./layer" }\n${output("app ${module.layer.word}")}`,
    "modules/app/layer/main.tf": `module "base" { source = "../../base" }\n${output("layer ${module.base.word}")}`,
    "modules/base/main.tf": output('${file("${path.module}/../../shared/text.tpl")}'),
    "modules/linked/main.tf": output("linked"),
  };

  it("is planned and applied in a folder with modules beside and above it", async () => {
    const monorepo = new TestRepository(join(folder, "monorepo"));
    const commit = monorepo.commit(FILES);
    const workspace = await createFromGit("monorepo", "live/eu/prod");
    const hook = { stage: "BEFORE_PLAN", command: 'echo "hook in $(basename "$PWD")"' } as const;
    const update = "mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename } }";
    await holdpoint.api.ask(update, { input: { workspaceId: workspace.id, hooks: [hook] } });
    const run = await workspace.deploy();
    expect(run).toMatchObject({ outcome: "APPLIED" });
    expect((await workspace.read()).outputs).toEqual([
      { name: "value", value: "eu app layer text linked", sensitive: false },
    ]);
    const query = "query ($id: ID!) { run(id: $id) { inputs { commit folders paths unresolved } } }";
    expect((await holdpoint.api.ask(query, { id: run.id })).run.inputs).toEqual({
      commit,
      folders: ["live/eu/prod", "modules/app", "modules/app/layer", "modules/base", "modules/linked"],
      paths: ["shared/common.tfvars", "shared/text.tpl"],
      unresolved: [],
    });
    const lines = (await workspace.log(run.id)).map(({ text }) => text);
    expect(lines).toContainEqual(expect.stringMatching(/^Source [0-9a-f]{12}: 7 files, working in live\/eu\/prod$/));
    expect(lines).toContainEqual("hook in prod");
    expect(lines).toContainEqual(expect.stringMatching(/\(local-exec\): \/.*\/work\/live\/eu\/prod$/));
  });
});

it("a module that a hook adds is reported by the engine, and counts from the next run on", async () => {
  const generated = new TestRepository(join(folder, "generated"));
  generated.commit({ "live/main.tf": data("a"), "modules/gen/main.tf": 'output "word" { value = "generated" }' });
  const workspace = await createFromGit("generated", "live");
  const command = `printf 'module "gen" {\n  source = "../modules/gen"\n}\n' > gen.tf`;
  const update = "mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { __typename } }";
  const input = {
    workspaceId: workspace.id,
    hooks: [{ stage: "BEFORE_INIT", command }],
    trigger: { alsoReads: ["modules/gen/**"] },
  };
  expect(await holdpoint.api.ask(update, { input })).toMatchObject({
    updateWorkspace: { __typename: "UpdateWorkspaceSuccess" },
  });
  const query = "query ($id: ID!) { run(id: $id) { warnings inputs { folders paths } } }";
  const first = await workspace.deploy();
  expect((await holdpoint.api.ask(query, { id: first.id })).run).toEqual({
    warnings: [
      "The engine took modules from modules/gen, which the configuration does not name. Changes there count from the next run on.",
    ],
    inputs: { folders: ["live"], paths: ["modules/gen/main.tf"] },
  });
  const second = await workspace.runToEnd();
  expect((await holdpoint.api.ask(query, { id: second.id })).run).toEqual({
    warnings: [],
    inputs: { folders: ["live", "modules/gen"], paths: [] },
  });
});

it("an upload is applied", async () => {
  const archive = await packed([{ name: "./main.tf", body: 'output "from" { value = "an upload" }' }]);
  const { uploadId, digest } = await send("/sources", archive, "application/gzip");
  const workspace = await create("from-upload", { upload: { uploadId } });
  expect(await workspace.deploy()).toMatchObject({ outcome: "APPLIED", revision: digest });
  expect((await workspace.read()).outputs).toEqual([{ name: "from", value: "an upload", sensitive: false }]);
});

it("a state that was made elsewhere is gone on with", async () => {
  const elsewhere = join(folder, "elsewhere");
  const files = { "main.tf": `${data("kept", 'input = "x"')}\noutput "kept" { value = terraform_data.kept.id }` };
  await writeFiles(elsewhere, files);
  const engine = await installedEnginePath();
  for (const args of [["init"], ["apply", "-auto-approve"]])
    execFileSync(engine, args, { cwd: elsewhere, stdio: "pipe" });
  const state = await readFile(join(elsewhere, "terraform.tfstate"));
  const { serial, lineage, outputs } = JSON.parse(state.toString());

  const workspace = await holdpoint.workspace("imported", files);
  const answer = await send(`/workspaces/${workspace.id}/state`, state, "application/json");
  expect(answer).toEqual({ workspaceId: workspace.id, serial, lineage });
  expect((await workspace.read()).outputs).toEqual([{ name: "kept", value: outputs.kept.value, sensitive: false }]);
  expect(await workspace.runToEnd()).toMatchObject({ outcome: "NO_CHANGES" });
  await workspace.write({ ...files, "more.tf": data("more") });
  const run = await workspace.plan();
  expect(changesOf(run.plans[0])).toEqual([["terraform_data.more", "CREATE"]]);
  expect((await workspace.finish(run.id)).outcome).toBe("APPLIED");
});
