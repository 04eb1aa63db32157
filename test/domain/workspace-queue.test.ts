import { afterAll, beforeAll, expect, test } from "vitest";
import type { Data } from "../support/api.ts";
import { createApi } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000);
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const QUEUE = `query ($id: ID!, $first: Int, $after: String) { workspace(by: { id: $id }) {
  currentRun { id }
  queue(first: $first, after: $after) { totalCount edges { node { id status } } pageInfo { hasNextPage endCursor } } } }`;
const read = async (id: string, args: object = {}): Promise<Data> =>
  (await scene.api.ask(QUEUE, { id, ...args })).workspace;
const ids = ({ queue }: Data): string[] => queue.edges.map(({ node }: Data) => node.id);

test("runs wait by priority and number, and are admitted in this order", async () => {
  const { workspaceId, runId: first } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const created: string[] = [];
  for (const priority of [0, 5, 0, -3, 5]) created.push(await scene.createRun(workspaceId, { priority }));
  const [a, b, c, d, e] = created;
  const waiting = await read(workspaceId);
  expect(ids(waiting)).toEqual([b, e, a, c, d]);
  expect(waiting.queue.totalCount).toBe(5);
  expect(waiting.currentRun.id).toBe(first);

  await scene.quick("discardRun", { runId: first });
  const admitted: string[] = [];
  for (let now = await read(workspaceId); now.currentRun !== null; now = await read(workspaceId)) {
    admitted.push(now.currentRun.id);
    expect(ids(now)).toEqual([b, e, a, c, d].slice(admitted.length));
    await scene.send("cancelRun", { runId: now.currentRun.id });
  }
  expect(admitted).toEqual([b, e, a, c, d]);
});

test("a page continues behind its cursor, also if the run is not there any more", async () => {
  const { workspaceId } = await scene.reach("PLANNING");
  const created: string[] = [];
  for (const priority of [1, 1, 0]) created.push(await scene.createRun(workspaceId, { priority }));
  const page = await read(workspaceId, { first: 1 });
  expect(ids(page)).toEqual([created[0]]);
  expect(page.queue.pageInfo.hasNextPage).toBe(true);
  await scene.send("cancelRun", { runId: created[0] });
  const rest = await read(workspaceId, { first: 2, after: page.queue.pageInfo.endCursor });
  expect(ids(rest)).toEqual([created[1], created[2]]);
  expect(rest.queue.pageInfo.hasNextPage).toBe(false);
  const issues = async (args: object) =>
    (await scene.api.send(QUEUE, { id: workspaceId, ...args })).errors?.[0]?.extensions?.["issues"];
  expect(await issues({ after: "x" })).toMatchObject([{ path: ["after"] }]);
  expect(await issues({ first: 101 })).toMatchObject([{ path: ["first"] }]);
});

test("an approved run without the workspace comes before one to be planned again, and both before new ones", async () => {
  const workspace = { lockScope: "EXECUTION" };
  const { workspaceId, runId: approved } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", workspace);
  const replanned = await scene.createRun(workspaceId);
  await (await scene.claim(replanned)).plan();
  const holder = await scene.createRun(workspaceId);
  await scene.claim(holder);
  const fresh = await scene.createRun(workspaceId, { priority: 9 });
  const plan = await scene.createRun(workspaceId, { kind: "PLAN" });
  await scene.send("replanRun", { runId: replanned, planVersion: 1 });
  await scene.send("approveRun", { runId: approved, gate: "APPLY", planVersion: 1 });
  const now = await read(workspaceId);
  expect(now.currentRun.id).toBe(holder);
  expect(now.queue.edges.map(({ node }: Data) => [node.id, node.status])).toEqual([
    [approved, "CONFIRMED"],
    [replanned, "REPLAN_REQUESTED"],
    [fresh, "QUEUED"],
  ]);
  // A speculative plan does not wait for the holder.
  expect((await scene.run(plan, "status")).status).toBe("READY");
  const second = await read(workspaceId, { first: 1 });
  const after = second.queue.pageInfo.endCursor;
  expect(ids(await read(workspaceId, { after }))).toEqual([replanned, fresh]);
});

test("a caller without RUN_READ sees an empty queue", async () => {
  const { workspaceId } = await scene.reach("PLANNING");
  await scene.createRun(workspaceId);
  const { viewer } = await scene.api.ask("{ viewer { actor { id } } }");
  const input = { name: "places", ownerId: viewer.actor.id, permissions: ["WORKSPACE_READ"] };
  const api = createApi(scene.server.url, (await scene.send("createToken", input)).secret);
  const { workspace } = await api.ask(QUEUE, { id: workspaceId });
  expect(workspace.queue).toMatchObject({ totalCount: 0, edges: [] });
});
