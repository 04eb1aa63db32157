import { afterAll, beforeAll, expect, it } from "vitest";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { hideRuns, takeDeletedWorkspace } from "../../src/persistence/run/hidden-run-store.ts";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const remove = (workspaceId: string, input: object = {}, api = scene.api) =>
  scene.send("deleteWorkspace", { workspaceId, ...input }, api);

/** What each of these ids names. */
async function nodes(...ids: string[]): Promise<Data[]> {
  return (await scene.api.ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids })).nodes;
}

it("hides the workspace, its runs and all that belongs to them, and frees its name", async () => {
  const { workspaceId, runId } = await scene.reach("DISCARDED");
  const { name } = await scene.workspace(workspaceId);
  const query = "query ($id: ID!) { run(id: $id) { plan { id } phases { id } approvals { id } } }";
  const { run } = await scene.api.ask(query, { id: runId });
  const approved = await scene.reach("FINISHED");
  const kept = await scene.run(approved.runId);
  const ids = [workspaceId, runId, run.plan.id, ...run.phases.map(({ id }: Data) => id)];
  expect(await nodes(...ids)).toEqual(ids.map((id) => ({ id })));

  expect(await remove(workspaceId)).toMatchObject({ __typename: "DeleteWorkspaceSuccess", deletedId: workspaceId });
  expect(await nodes(...ids)).toEqual(ids.map(() => null));
  expect(await scene.workspace(workspaceId)).toBeNull();
  expect(await scene.run(runId)).toBeNull();
  const lists = `query ($id: ID!, $name: String!) { runs(first: 100) { edges { node { id } } }
    of: runs(filter: { workspaceId: $id }) { totalCount edges { node { id } } }
    workspace(by: { path: { organization: "default", name: $name } }) { id }
    organization(slug: "default") { workspaces(first: 100) { edges { node { id } } } } }`;
  const found = await scene.api.ask(lists, { id: workspaceId, name });
  expect(found.of).toEqual({ totalCount: 0, edges: [] });
  expect(JSON.stringify(found)).not.toContain(workspaceId);
  expect(JSON.stringify(found)).not.toContain(runId);
  expect(found.workspace).toBeNull();
  expect(await scene.run(approved.runId)).toEqual(kept);

  for (const [command, input] of [
    ["createRun", { workspaceId }],
    ["updateWorkspace", { workspaceId, name: "other" }],
    ["deleteWorkspace", { workspaceId }],
    ["lockWorkspace", { workspaceId }],
    ["unlockWorkspace", { workspaceId }],
    ["setVariable", { workspaceId, key: "a", value: "b" }],
    ["deleteVariable", { workspaceId, key: "a" }],
    ["retryRun", { runId }],
    ["cancelRun", { runId }],
  ] as const) {
    expect([command, (await scene.send(command, input)).code]).toEqual([command, "NOT_FOUND"]);
  }
  const again = await scene.createWorkspace({ name });
  expect((await scene.workspace(again)).runs.totalCount).toBe(0);
  const [{ count }] = await scene.rows("select count(*) from run where workspace_id = $1", workspaceId);
  expect(count).toBe(1);
});

it("has its runs taken out of what lists look through, step by step, and no others", async () => {
  const { workspaceId } = await scene.reach("DISCARDED");
  for (const _ of [2, 3]) await scene.quick("cancelRun", { runId: await scene.createRun(workspaceId) });
  const hidden = () => scene.rows("select id from run where workspace_id = $1 and hidden order by id", workspaceId);
  const sweep = () => retentionRound(scene.server.deps, () => undefined);
  await sweep();
  expect(await hidden()).toEqual([]);
  await remove(workspaceId);
  const others = await scene.rows("select id from run where not hidden and workspace_id <> $1", workspaceId);
  await scene.server.deps.database.transaction(async (tx) => {
    for (let step = 0, last: string | null = ""; step < 2; step++)
      last = await hideRuns(tx, workspaceId, last ?? "", 1);
  });
  expect(await hidden()).toHaveLength(2);
  await sweep();
  expect(await hidden()).toHaveLength(3);
  expect(await scene.rows("select id from run where not hidden")).toHaveLength(others.length);
  expect(await scene.server.deps.database.transaction(takeDeletedWorkspace)).toBeNull();
});

it("is refused while a run is live, which it names", async () => {
  const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  expect(await remove(workspaceId, { force: true })).toMatchObject({
    code: "RUN_STATE_CONFLICT",
    message: expect.stringMatching(/^Run \d+ is AWAITING_PLAN_APPROVAL; cancel it, or wait for its end\.$/),
    run: { id: runId, status: "AWAITING_PLAN_APPROVAL" },
  });
  await scene.quick("discardRun", { runId });
  await scene.send("lockWorkspace", { workspaceId, note: "hands off" });
  expect(await remove(workspaceId, { force: true })).toMatchObject({
    code: "WORKSPACE_LOCKED",
    message: expect.stringMatching(/^The workspace is locked by admin since \S+: "hands off"\. Unlock it first\.$/),
    lock: { note: "hands off" },
  });
  expect((await scene.run(runId, "status")).status).toBe("DISCARDED");
});

it("is refused while the state has resources, but by force", async () => {
  const { workspaceId, job } = await scene.reach("APPLYING");
  const resources = [
    { mode: "managed", instances: [{}, {}] },
    { mode: "data", instances: [{}] },
  ];
  await job.lockState("lock");
  await job.writeState("lock", { version: 4, serial: 1, lineage: "l", outputs: {}, resources });
  await job.unlockState("lock");
  await job.message({ type: "applied", appliedAddresses: [] });
  const refused = await remove(workspaceId);
  expect(refused).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["force"] }] });
  expect(refused.message).toContain("2 resources");
  expect((await remove(workspaceId, { force: true }, await scene.login("APPROVER"))).code).toBe("FORBIDDEN");
  expect((await remove(workspaceId, { force: true })).deletedId).toBe(workspaceId);
});

it("of two at once, and of one that meets a new run, leaves nothing half done", async () => {
  const twice = await scene.createWorkspace();
  const answers = await Promise.all([remove(twice), remove(twice)]);
  expect(answers.map(({ code }) => String(code ?? "OK")).toSorted()).toEqual(["NOT_FOUND", "OK"]);
  for (let round = 0; round < 4; round++) {
    const workspaceId = await scene.createWorkspace();
    const create = () => scene.send("createRun", { workspaceId });
    const calls = round % 2 === 0 ? [remove(workspaceId), create()] : [create(), remove(workspaceId)];
    const codes = (await Promise.all(calls)).map(({ code }) => code ?? "OK");
    expect(codes.filter((code) => code === "OK")).toHaveLength(1);
    const [{ live }] = await scene.rows(
      `select count(*) filter (where workspace.deleted_at is not null) as live
       from workspace join run on run.workspace_id = workspace.id where workspace.id = $1 and run.finished_at is null`,
      workspaceId,
    );
    expect(live).toBe(0);
  }
});
