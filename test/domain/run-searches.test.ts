import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let network: string;
let other: string;
let writerId: string;
const NONE = { additions: 0, changes: 0, replacements: 0, imports: 0, moves: 0, forgets: 0 };
/** Ids of runs, oldest first. */
let [percent, umlaut, ofWriter, destroying, applied]: string[] = [];

const QUERY = `query ($first: Int, $after: String, $last: Int, $filter: RunFilter, $order: RunOrder) {
  runs(first: $first, after: $after, last: $last, filter: $filter, order: $order) {
    totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } } }`;
const list = async (args: object): Promise<Data> => (await scene.api.ask(QUERY, { ...args })).runs;
const ids = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.id);
const find = async (filter: object): Promise<string[]> => {
  const page = await list({ first: 100, filter });
  expect(page.totalCount).toBe(page.edges.length);
  return ids(page);
};
const refusal = async (filter: object): Promise<unknown> =>
  (await scene.api.send(QUERY, { filter })).errors?.[0]?.extensions?.["issues"];

beforeAll(async () => {
  scene = await openScene(1000);
  network = await scene.createWorkspace({ name: "net_work" });
  other = await scene.createWorkspace({ name: "other" });
  percent = await scene.createRun(network, { message: String.raw`Bump to 50% \ of_it` });
  umlaut = await scene.createRun(other, { message: "ÄRGER mit dem Netz" });
  const writer = await scene.login("WRITER");
  writerId = writer.actorId;
  ofWriter = (await scene.send("createRun", { workspaceId: other }, writer)).run.id;
  destroying = await scene.plan(await scene.createWorkspace(), {}, { counts: { ...NONE, destructions: 3 } });
  applied = (await scene.reach("FINISHED")).runId;
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

test("a text is searched for literally in messages and names of workspaces, without regard to case", async () => {
  expect(await find({ search: "BUMP" })).toEqual([percent]);
  expect(await find({ search: "50%" })).toEqual([percent]);
  expect(await find({ search: "5_%" })).toEqual([]);
  expect(await find({ search: "\\" })).toEqual([percent]);
  expect(await find({ search: "ärger" })).toEqual([umlaut]);
  expect(await find({ search: "NET_w" })).toEqual([percent]);
  expect(await find({ workspaceSearch: "OTH" })).toEqual([ofWriter, umlaut]);
  expect(await find({ workspaceSearch: "%" })).toEqual([]);
  expect(await find({ search: "netz", workspaceSearch: "net_" })).toEqual([]);
});

test("runs are found by several workspaces and creators, by outcome, destructions and end", async () => {
  expect(await find({ workspaceIds: [network, other, "ws_x"] })).toEqual([ofWriter, umlaut, percent]);
  expect(await find({ createdByIds: [writerId] })).toEqual([ofWriter]);
  expect(await find({ outcomes: ["APPLIED"] })).toEqual([applied]);
  expect(await find({ minDestructions: 3 })).toEqual([destroying]);
  expect(await find({ minDestructions: 4 })).toEqual([]);
  expect(await find({ endedAfter: "2000-01-01T00:00:00Z" })).toContain(applied);
  expect(await find({ endedAfter: "2100-01-01T00:00:00Z" })).toEqual([]);
  for (const empty of [{ workspaceIds: [] }, { createdByIds: [] }, { outcomes: [] }])
    expect(await find(empty)).toEqual([]);
});

test("a filter that no run can match finds none, and one that is not allowed names its field", async () => {
  for (const filter of [{ workspaceIds: ["\0"] }, { createdByIds: ["'"] }, { workspaceIds: ["\ud800"] }]) {
    expect(await find(filter)).toEqual([]);
  }
  for (const text of ["", "a".repeat(201), "\0", "\ud800"]) {
    expect(await refusal({ search: text })).toMatchObject([{ path: ["filter", "search"] }]);
    expect(await refusal({ workspaceSearch: text })).toMatchObject([{ path: ["filter", "workspaceSearch"] }]);
  }
  const many = Array.from({ length: LIMITS.idsPerFilter + 1 }, () => network);
  expect(await refusal({ workspaceIds: many })).toMatchObject([{ path: ["filter", "workspaceIds"] }]);
  expect(await refusal({ createdByIds: many })).toMatchObject([{ path: ["filter", "createdByIds"] }]);
  expect(await refusal({ minDestructions: -1 })).toMatchObject([{ path: ["filter", "minDestructions"] }]);
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { runs(filter: { workspaceIds: [$id] }) { totalCount } } }`;
  const inside = await scene.api.send(query, { id: network });
  expect(inside.errors?.[0]?.extensions?.["issues"]).toMatchObject([{ path: ["filter", "workspaceIds"] }]);
});

test("the oldest first is the same list the other way round, page by page", async () => {
  const newest = ids(await list({ first: 100 }));
  const pages: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Data = await list({ first: 2, after, order: "OLDEST_FIRST" });
    expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
    pages.push(...ids(page));
    after = page.edges.at(-1)?.cursor ?? null;
    more = page.pageInfo.hasNextPage;
  }
  expect(pages).toEqual(newest.toReversed());
  expect(ids(await list({ last: 2, order: "OLDEST_FIRST" }))).toEqual(newest.slice(0, 2).toReversed());
  expect(ids(await list({ first: 1, order: "OLDEST_FIRST", filter: { workspaceIds: [other] } }))).toEqual([umlaut]);
});

test("a workspace has its newest run, and lists of workspaces are filtered and counted", async () => {
  const latest = `query ($id: ID!) { workspace(by: { id: $id }) { latestRun { id message version } } }`;
  expect((await scene.api.ask(latest, { id: other })).workspace.latestRun).toMatchObject({ id: ofWriter });
  const empty = await scene.createWorkspace({ name: "empty" });
  expect((await scene.api.ask(latest, { id: empty })).workspace.latestRun).toBeNull();
  await scene.quick("lockWorkspace", { workspaceId: network });
  await scene.quick("updateWorkspace", { workspaceId: empty, paused: true });
  const query = `query ($filter: WorkspaceFilter) { organization(slug: "default") { workspaces(first: 100, filter: $filter) {
    totalCount edges { node { name } } } } }`;
  const names = async (filter: object): Promise<string[]> => {
    const { workspaces } = (await scene.api.ask(query, { filter })).organization;
    expect(workspaces.totalCount).toBe(workspaces.edges.length);
    return workspaces.edges.map(({ node }: Data) => node.name);
  };
  expect(await names({ search: "T_W" })).toEqual(["net_work"]);
  expect(await names({ locked: true })).toEqual(["net_work"]);
  expect(await names({ paused: true })).toEqual(["empty"]);
  expect(await names({ locked: false, paused: false })).not.toContain("empty");
  expect(await names({})).toHaveLength(5);
  const refused = await scene.api.send(query, { filter: { search: "\0" } });
  expect(refused.errors?.[0]?.extensions?.["issues"]).toMatchObject([{ path: ["filter", "search"] }]);
});

test("the caller sees its permissions on the installation, and no session with a token", async () => {
  const query = "{ viewer { permissions session { id } } }";
  const admin = (await scene.api.ask(query)).viewer;
  expect(admin.permissions).toContain("MEMBER_WRITE");
  expect(admin.session).toBeNull();
  expect((await (await scene.login("READER")).ask(query)).viewer.permissions).not.toContain("RUN_DEPLOY");
});

test("a search sees the runs of the last 90 days, unless its caller or its list bounds it", async () => {
  const createdAfter = new Date(scene.server.deps.clock().getTime() - 3_600_000).toISOString();
  const inWorkspace = `query ($id: ID!) { workspace(by: { id: $id }) { runs(filter: { search: "bump" }) { totalCount } } }`;
  const searches = [{ search: "bump" }, { workspaceSearch: "net_" }];
  for (const filter of searches) expect(await find(filter)).toEqual([percent]);
  scene.server.advance(LIMITS.runSearchMs + 60_000);
  for (const filter of searches) {
    expect(await find(filter)).toEqual([]);
    expect(await find({ ...filter, createdAfter })).toEqual([percent]);
  }
  expect((await scene.api.ask(inWorkspace, { id: network })).workspace.runs.totalCount).toBe(1);
});
