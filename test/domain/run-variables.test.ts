/** Variables of a run, as it was created with them, through the API. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Api, Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const set = (workspaceId: string, input: object) => scene.send("setVariable", { workspaceId, ...input });
const variablesOf = async (runId: string, by: Api = scene.api): Promise<Data> => {
  const fields = "key value sensitive category hcl";
  const { run } = await by.ask(`query ($id: ID!) { run(id: $id) { variables { ${fields} } } }`, { id: runId });
  return run.variables;
};
const plain = (key: string, value: string | null, more: object = {}) => ({
  key,
  value,
  sensitive: false,
  category: "ENGINE",
  hcl: false,
  ...more,
});

it("are those of its creation, whatever becomes of the workspace's; sensitive values are never shown", async () => {
  const workspaceId = await scene.createWorkspace();
  await set(workspaceId, { key: "zones", value: '["a"]', hcl: true });
  await set(workspaceId, { key: "region", value: "eu" });
  await set(workspaceId, { key: "password", value: "swordfish", sensitive: true });
  await set(workspaceId, { key: "LEVEL", value: "1", category: "ENVIRONMENT" });
  const runId = await scene.createRun(workspaceId);
  const expected = [
    plain("password", null, { sensitive: true }),
    plain("region", "eu"),
    plain("zones", '["a"]', { hcl: true }),
    plain("LEVEL", "1", { category: "ENVIRONMENT" }),
  ];
  expect(await variablesOf(runId)).toEqual(expected);
  await set(workspaceId, { key: "region", value: "us" });
  await set(workspaceId, { key: "password", value: "open now", sensitive: false });
  await scene.send("deleteVariable", { workspaceId, key: "LEVEL", category: "ENVIRONMENT" });
  expect(await variablesOf(runId)).toEqual(expected);
  expect(await variablesOf(runId, await scene.login("READER"))).toEqual(expected);
  const later = await scene.createRun(workspaceId);
  expect(await variablesOf(later)).toEqual([
    plain("password", "open now"),
    plain("region", "us"),
    plain("zones", '["a"]', { hcl: true }),
  ]);
});

it("hide as well what is sensitive by now", async () => {
  const workspaceId = await scene.createWorkspace();
  await set(workspaceId, { key: "token", value: "swordfish" });
  await set(workspaceId, { key: "token", value: "beside", category: "ENVIRONMENT" });
  const runId = await scene.createRun(workspaceId);
  await set(workspaceId, { key: "token", value: "swordfish", sensitive: true });
  expect(await variablesOf(runId)).toEqual([
    plain("token", null, { sensitive: true }),
    plain("token", "beside", { category: "ENVIRONMENT" }),
  ]);
});

it("of a run of kind APPLY are those of its PLAN run, and there are none without", async () => {
  const workspaceId = await scene.createWorkspace();
  await set(workspaceId, { key: "region", value: "eu" });
  const planRunId = await scene.plan(workspaceId);
  await set(workspaceId, { key: "region", value: "us" });
  const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
  expect(await variablesOf(runId)).toEqual([plain("region", "eu")]);
  expect(await variablesOf(await scene.createRun(await scene.createWorkspace()))).toEqual([]);
});

it("are read for all runs of a list", async () => {
  const [one, other] = [await scene.createWorkspace(), await scene.createWorkspace()];
  await set(one, { key: "region", value: "eu" });
  await set(other, { key: "region", value: "us", sensitive: true });
  const ids = [await scene.createRun(one), await scene.createRun(other)];
  const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Run { variables { key value } } } }";
  const { nodes } = await scene.api.ask(query, { ids });
  expect(nodes).toEqual([
    { variables: [{ key: "region", value: "eu" }] },
    { variables: [{ key: "region", value: null }] },
  ]);
});
