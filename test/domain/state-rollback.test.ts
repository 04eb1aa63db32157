import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

/** A workspace that was applied so often; gives its versions, oldest first. */
async function applied(times: number, workspace: object = {}): Promise<{ workspaceId: string; ids: string[] }> {
  const workspaceId = await scene.createWorkspace(workspace);
  for (let serial = 1; serial <= times; serial++) await bring(workspaceId, serial);
  const rows = await scene.rows("select id from state_version where workspace_id = $1 order by serial", workspaceId);
  return { workspaceId, ids: rows.map((row) => row["id"]) };
}

async function bring(workspaceId: string, serial: number): Promise<void> {
  const { url, api } = scene.server;
  const { name } = await scene.workspace(workspaceId);
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json" };
  const body = JSON.stringify({ version: 4, serial, lineage: "line", resources: [], outputs: {} });
  const address = `${url}/state/default/${name}`;
  const lock = JSON.stringify({ ID: "x", Operation: "OperationTypeApply" });
  await fetch(address, { method: "LOCK", headers, body: lock });
  const answer = await fetch(`${address}?ID=x`, { method: "POST", headers, body });
  await fetch(address, { method: "UNLOCK", headers, body: lock });
  if (answer.status !== 200) throw new Error(`The state was answered with ${answer.status}.`);
}

const current = async (workspaceId: string): Promise<Data> => {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { currentStateVersion { serial run { id } } } }`;
  return (await scene.api.ask(query, { id: workspaceId })).workspace.currentStateVersion;
};

async function rollBack(workspaceId: string, stateVersionId = "", more: object = {}): Promise<Data> {
  return scene.send("rollbackState", { workspaceId, stateVersionId, ...more });
}

const approve = (runId: string) => scene.send("approveRun", { runId, gate: "APPLY", planVersion: 0 });

describe("a rollback of the state", () => {
  it("is a task that waits for a person, and stores the old state as the newest", async () => {
    const { workspaceId, ids } = await applied(3, { autoApply: "ALWAYS", planApproval: "WHEN_REQUIRED" });
    const { run, created } = await rollBack(workspaceId, ids[0], { message: "lost a disk" });
    expect(created).toBe(true);
    expect(run).toMatchObject({
      kind: "TASK",
      trigger: "ROLLBACK",
      status: "AWAITING_APPLY_APPROVAL",
      message: "lost a disk",
      revision: null,
      command: expect.stringMatching(`^state push ${ids[0]} \\(serial 1 of .*, 0 resources\\), in place of serial 3$`),
    });
    const about = await scene.api.ask(
      "query ($id: ID!) { run(id: $id) { stateRollback { to { id serial } fromSerial } } }",
      { id: run.id },
    );
    expect(about.run.stateRollback).toEqual({ to: { id: ids[0], serial: 1 }, fromSerial: 3 });
    expect(await approve(run.id)).toMatchObject({ run: { status: "CONFIRMED" } });
    const job = await scene.claim(run.id);
    expect(job.job).toMatchObject({ rollback: true, source: null, hooks: [] });
    const { body } = await job.request("GET", "rollback-state");
    expect(body).toEqual({ version: 4, serial: 4, lineage: "line", resources: [], outputs: {} });
    await job.message({ type: "prepared" });
    await job.message({ type: "initialized" });
    await job.lockState("push");
    expect((await job.writeState("push", { ...body, serial: 5 })).status).toBe(200);
    await job.unlockState("push");
    await job.message({ type: "performed" });
    expect(await scene.run(run.id, "status", "outcome")).toMatchObject({ status: "FINISHED", outcome: "PERFORMED" });
    expect(await current(workspaceId)).toEqual({ serial: 5, run: { id: run.id } });
  });

  it("belongs to admins, and to an older version of the very workspace", async () => {
    const { workspaceId, ids } = await applied(2);
    const foreign = await applied(1);
    for (const role of ["READER", "WRITER", "APPROVER"]) {
      const input = { workspaceId, stateVersionId: ids[0] };
      expect(await scene.send("rollbackState", input, await scene.login(role))).toMatchObject({ code: "FORBIDDEN" });
    }
    for (const wrong of [ids[1], foreign.ids[0], workspaceId, "", "sv_\0"]) {
      const answer = await rollBack(workspaceId, wrong);
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["stateVersionId"] }] });
    }
    expect(await rollBack("ws_0", ids[0])).toMatchObject({ code: "NOT_FOUND" });
    const long = await rollBack(workspaceId, ids[0], { message: "x".repeat(20_000), idempotencyKey: "" });
    expect(long.issues.map(({ path }: Data) => path)).toEqual([["message"], ["idempotencyKey"]]);
    const same = { idempotencyKey: "once" };
    const first = await rollBack(workspaceId, ids[0], same);
    const second = await rollBack(workspaceId, ids[0], same);
    expect(second).toMatchObject({ created: false, run: { id: first.run.id } });
    expect(await rollBack(workspaceId, ids[0], { ...same, message: "x" })).toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
    });
  });

  it("is over when the state moves, wherever it waits", async () => {
    const { workspaceId, ids } = await applied(2);
    const waiting = await rollBack(workspaceId, ids[0]);
    await bring(workspaceId, 3);
    expect(await scene.run(waiting.run.id, "status", "reason")).toMatchObject({
      status: "DISCARDED",
      reason: "The state moved to serial 3 after the rollback was asked for.",
    });
    const confirmed = await rollBack(workspaceId, ids[0]);
    const queued = await rollBack(workspaceId, ids[1]);
    await approve(confirmed.run.id);
    await bring(workspaceId, 4);
    await expect(scene.claim(confirmed.run.id)).rejects.toThrow();
    expect(await scene.run(confirmed.run.id, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "PLAN_STALE" },
    });
    expect(await scene.run(queued.run.id, "status", "reason")).toMatchObject({
      status: "DISCARDED",
      reason: expect.stringContaining("from serial 3 to 4"),
    });
    expect(await current(workspaceId)).toEqual({ serial: 4, run: null });
  });

  it("never takes the place of a state that somebody wrote after its claim", async () => {
    const { workspaceId, ids } = await applied(2);
    const begun = async () => {
      const { run } = await rollBack(workspaceId, ids[0]);
      await approve(run.id);
      const job = await scene.claim(run.id);
      await job.message({ type: "prepared" });
      return { id: run.id, job };
    };
    const early = await begun();
    await bring(workspaceId, 3);
    expect((await early.job.message({ type: "initialized" })).body).toMatchObject({ goOn: false });
    expect(await scene.run(early.id, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "PLAN_STALE" },
    });
    const late = await begun();
    await late.job.message({ type: "initialized" });
    await bring(workspaceId, 4);
    const refused = await late.job.lockState("push");
    expect(refused).toMatchObject({ status: 409, body: { code: "STATE_REFUSED" } });
    expect(await scene.workspace(workspaceId)).toMatchObject({ stateLock: null });
    expect(await current(workspaceId)).toEqual({ serial: 4, run: null });
  });

  it("is not retried, and no other task gets its state", async () => {
    const { workspaceId, ids } = await applied(2, { tasksAllowed: true });
    const { run } = await rollBack(workspaceId, ids[0]);
    await scene.quick("discardRun", { runId: run.id });
    expect(await scene.send("retryRun", { runId: run.id })).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: ["runId"], message: expect.stringContaining("rollbackState") }],
    });
    const task = await scene.createRun(workspaceId, { kind: "TASK", command: "true" });
    await approve(task);
    const job = await scene.claim(task);
    expect(job.job.rollback).toBe(false);
    expect((await job.request("GET", "rollback-state")).status).toBe(400);
    await job.message({ type: "stopped" });
    const other = await scene.reach("PREPARING");
    expect((await other.job.request("GET", "rollback-state")).status).toBe(403);
  });
});
