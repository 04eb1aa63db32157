/** Labels of workspaces: as settings, and as filters of workspaces, runs and bulk operations. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectWorkspaces } from "../../src/domain/workspace/select-workspaces.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID, DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { rightsOf } from "../../src/model/people/rights.ts";
import type { ActorCaller } from "../../src/model/people/permission.ts";
import type { Data } from "../support/api.ts";
import { addMachine } from "../support/machine.ts";
import { onWorkspace, rightsOfRole } from "../support/rights.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const admin: ActorCaller = {
  type: "actor",
  credential: "TOKEN",
  credentialId: ADMIN_TOKEN_ID,
  actor: { id: ADMIN_ACTOR_ID, kind: "USER", name: "admin" },
  rights: rightsOfRole("ADMIN"),
  accessVersion: { version: 1, moves: 1 },
};
const create = (...labels: string[]) => scene.createWorkspace({ labels });
async function labelsOf(id: string): Promise<string[]> {
  return (await scene.api.ask("query ($id: ID!) { workspace(by: { id: $id }) { labels } }", { id })).workspace.labels;
}
const listWorkspaces = async (labels: string[], more: object = {}, api = scene.api) => {
  const query = `query ($labels: [String!], $search: String) { organization(slug: "default") {
    workspaces(labels: $labels, search: $search) { edges { node { id } } } } }`;
  const { data, errors } = await api.send(query, { labels, ...more });
  return errors === undefined
    ? data.organization.workspaces.edges.map((edge: Data) => edge.node.id)
    : errors[0]?.extensions;
};
const listRuns = async (filter: object, api = scene.api) => {
  const query = "query ($filter: RunFilter) { runs(filter: $filter) { totalCount edges { node { id } } } }";
  const { data, errors } = await api.send(query, { filter });
  return errors === undefined ? data.runs.edges.map((edge: Data) => edge.node.id) : errors[0]?.extensions;
};

describe("the labels of a workspace", () => {
  it("are sorted, each once; an absent field does not change them, an empty list removes them", async () => {
    const id = await create("team:web", "env:dev", "team:web");
    expect(await labelsOf(id)).toEqual(["env:dev", "team:web"]);
    await scene.quick("updateWorkspace", { workspaceId: id, description: "x" });
    expect(await labelsOf(id)).toEqual(["env:dev", "team:web"]);
    await scene.quick("updateWorkspace", { workspaceId: id, labels: [] });
    expect(await labelsOf(id)).toEqual([]);
    const [event] = await scene.rows(
      "select fields from workspace_event where workspace_id = $1 order by id desc limit 1",
      id,
    );
    expect(event?.fields).toEqual(["labels"]);
  });

  it("are refused with the field where they have another form, repeat a key, or are too many", async () => {
    const id = await create();
    const source = { directory: { path: `${scene.server.sourceRoot}/source` } };
    const many = Array.from({ length: LIMITS.labelsPerWorkspace + 1 }, (_, index) => `k${index}`);
    const cases: [string[] | null, string[]][] = [
      [
        ["ok", "no label"],
        ["labels", "1"],
      ],
      [["a\0"], ["labels", "0"]],
      [["env:dev", "env:prod"], ["labels"]],
      [many, ["labels"]],
      [null, ["labels"]],
    ];
    for (const [labels, path] of cases) {
      const refused = { code: "INVALID_INPUT", issues: [{ path }] };
      expect(await scene.send("updateWorkspace", { workspaceId: id, labels })).toMatchObject(refused);
      expect(await scene.send("createWorkspace", { name: "refused", source, labels })).toMatchObject(refused);
    }
    const most = many.slice(1);
    await scene.quick("updateWorkspace", { workspaceId: id, labels: most });
    expect(await labelsOf(id)).toEqual(most.toSorted());
  });
});

describe("a filter by labels", () => {
  it("finds workspaces that have all of them; a key matches each of its values", async () => {
    const [web, db, bare] = [await create("f-env:dev", "f-web"), await create("f-env:prod"), await create("f-env")];
    expect((await listWorkspaces(["f-env"])).toSorted()).toEqual([web, db, bare].toSorted());
    expect(await listWorkspaces(["f-env:dev"])).toEqual([web]);
    expect(await listWorkspaces(["f-env:prod"])).toEqual([db]);
    expect(await listWorkspaces(["f-env", "f-web"])).toEqual([web]);
    expect(await listWorkspaces(["f-env:prod", "f-web"])).toEqual([]);
    expect(await listWorkspaces(["f-en"])).toEqual([]);
    const { name } = await scene.workspace(db);
    expect(await listWorkspaces(["f-env"], { search: name })).toEqual([db]);
    expect(await listWorkspaces([])).toEqual(await listWorkspaces([], { labels: null }));
    expect(await listWorkspaces(["a b"])).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["labels", "0"] }] });
    await scene.send("deleteWorkspace", { workspaceId: bare });
    expect(await listWorkspaces(["f-env"])).not.toContain(bare);
  });

  it("finds runs of workspaces, under the rights of lists", async () => {
    const [mine, other] = [await create("r-env:dev"), await create("r-env:dev")];
    const [run, hidden] = [await scene.createRun(mine), await scene.createRun(other)];
    expect((await listRuns({ labels: ["r-env"] })).toSorted()).toEqual([run, hidden].toSorted());
    expect(await listRuns({ labels: ["r-env:prod"] })).toEqual([]);
    expect(await listRuns({ labels: [] })).toEqual([]);
    expect(await listRuns({ labels: ["r-env:dev"], workspaceId: other })).toEqual([hidden]);
    expect(await listRuns({ labels: ["a b"] })).toMatchObject({ code: "INVALID_INPUT" });
    const reader = await addMachine(scene.server.url, scene.api, ["READER", mine]);
    expect(await listRuns({ labels: ["r-env"] }, reader)).toEqual([run]);
    expect(await listWorkspaces(["r-env"], {}, reader)).toEqual([mine]);
    const query = `mutation { bulkRunAction(input: { action: CANCEL, filter: { labels: ["r-env:dev"] } }) {
      ... on BulkRunActionSuccess { operation { total } } } }`;
    expect((await scene.api.ask(query, {})).bulkRunAction.operation.total).toBe(2);
  });
});

describe("a selector", () => {
  it("gives the workspaces in which the caller holds a permission, and refuses too many or wrong labels", async () => {
    const [one, two] = [await create("s-env:dev"), await create("s-env:prod")];
    const { database } = scene.server.deps;
    const organizationId = DEFAULT_ORGANIZATION_ID;
    const select = (...labels: string[]) => selectWorkspaces(database, admin, "RUN_PLAN", { organizationId, labels });
    expect(await select("s-env")).toHaveLength(2);
    expect(await select("s-env:dev")).toEqual([one]);
    const some = { ...admin, rights: rightsOf([onWorkspace("PLANNER", two), onWorkspace("READER", one)]) };
    const selector = { organizationId, labels: ["s-env"] };
    expect(await selectWorkspaces(database, some, "RUN_PLAN", selector)).toEqual([two]);
    expect(await selectWorkspaces(database, some, "RUN_DEPLOY", selector)).toEqual([]);
    await expect(select()).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(select("no label")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});
