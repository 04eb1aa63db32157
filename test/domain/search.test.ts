import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, createApi, type Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let workspaceId: string;
let organizationId: string;

const SEARCH = `query ($text: String!, $first: Int) { search(text: $text, first: $first) { title node { __typename id } } }`;
const search = async (text: string, api: Api = scene.api, first?: number): Promise<Data[]> =>
  (await api.ask(SEARCH, { text, first })).search;
const found = async (text: string, api?: Api, first?: number): Promise<string[]> =>
  (await search(text, api, first)).map(({ title, node }) => `${node.__typename} ${title}`);

async function make(name: string, input: object, field: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${field} { id } } ... on UserError { message } } }`;
  const made = (await scene.api.ask(document, { input }))[name];
  expect(made.__typename, made.message).toBe(`${type}Success`);
  return made[field];
}

/** An API with a token of the administrator that is reduced to these places. */
async function reducedTo(...scopeIds: string[]): Promise<Api> {
  const { viewer } = await scene.api.ask("{ viewer { actor { id } } }");
  const input = { name: `t-${scopeIds.join()}`, ownerId: viewer.actor.id, scopeIds };
  return createApi(scene.server.url, (await scene.send("createToken", input)).secret);
}

beforeAll(async () => {
  scene = await openScene(1000);
  organizationId = await scene.quick("createOrganization", { slug: "net-org", name: "Networks", concurrencyLimit: 3 });
  workspaceId = await scene.createWorkspace({ name: "net", organization: "net-org" });
  await scene.createWorkspace({ name: "subnet", organization: "net-org" });
  await make("createProject", { organizationId, name: "net-project" }, "project");
  await make("createTeam", { organizationId, name: "Net-team" }, "team");
  await make("createServiceAccount", { organizationId, name: "net-machine" }, "actor");
  await make("createRunnerPool", { organizationId, name: "net-pool" }, "runnerPool");
  await make("createPolicySet", { organizationId, name: "net-rules", language: "CEL", selector: {} }, "policySet");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

test("objects of all kinds are found by their names, exact ones first, then prefixes", async () => {
  const all = await found("NET");
  expect(all[0]).toBe("Workspace net");
  expect(all.at(-1)).toBe("Workspace subnet");
  expect(all.slice(1, -1)).toEqual([
    "Project net-project",
    "Organization Networks",
    "Team Net-team",
    "MachineUser net-machine",
    "PolicySet net-rules",
    "RunnerPool net-pool",
  ]);
  expect(await found("net", scene.api, 2)).toEqual(all.slice(0, 2));
  expect(await found("net", scene.api, 0)).toEqual([]);
  expect(await found("net-org")).toEqual(["Organization Networks"]);
  expect(await found("admin")).toContain("User admin");
  expect(await found("n_t")).toEqual([]);
});

test("fields of the objects are read with them", async () => {
  const query = `{ search(text: "net", first: 1) { node { id ... on Workspace { name organization { slug } } } } }`;
  expect((await scene.api.ask(query)).search).toEqual([
    { node: { id: workspaceId, name: "net", organization: { slug: "net-org" } } },
  ]);
});

test("a run is found by its id and by the beginning of it", async () => {
  const runId = await scene.createRun(workspaceId, { message: "Raise the limit\nfor all" });
  expect(await search(runId)).toEqual([{ title: "#1 Raise the limit", node: { __typename: "Run", id: runId } }]);
  expect((await search(runId.slice(0, 20).toUpperCase())).map(({ node }) => node.id)).toContain(runId);
  expect(await found("Raise")).toEqual([]);
  expect(await found(workspaceId)).toEqual(["Workspace net"]);
  const other = await reducedTo(await scene.createWorkspace());
  expect(await search(runId, other)).toEqual([]);
});

test("callers find what they may read, and nothing else", async () => {
  expect(await found("net", await reducedTo(workspaceId))).toEqual(["Workspace net", "Organization Networks"]);
  const ofOrganization = await found("net", await reducedTo(organizationId));
  expect(ofOrganization.toSorted()).toEqual((await found("net")).toSorted());
  const elsewhere = await reducedTo(await scene.createWorkspace());
  expect(await found("net", elsewhere)).toEqual([]);
  expect(await found("default", elsewhere)).toEqual(["Organization Default"]);
});

test("texts that no name has and numbers that are no page are refused by the name of the argument", async () => {
  const issues = async (variables: object): Promise<Data> =>
    (await scene.api.send(SEARCH, { ...variables })).errors?.[0]?.extensions?.["issues"] as Data;
  for (const text of ["", "a".repeat(201), "a\0", "\ud800"])
    expect(await issues({ text })).toMatchObject([{ path: ["text"] }]);
  expect(await issues({ text: "a", first: 51 })).toMatchObject([{ path: ["first"] }]);
  expect(await issues({ text: "a", first: -1 })).toMatchObject([{ path: ["first"] }]);
  expect(await found("a".repeat(200))).toEqual([]);
});
