import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openScene, report, type Scene, type Spot } from "../domain/scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const state = (serial: number, more: object = {}) => ({ version: 4, serial, lineage: "line", outputs: {}, ...more });

async function versions({ workspaceId }: Pick<Spot, "workspaceId">): Promise<number[]> {
  const rows = await scene.rows(
    "select serial from state_version where workspace_id = $1 order by serial",
    workspaceId,
  );
  return rows.map(({ serial }) => serial);
}

describe("the lock of a state", () => {
  it("belongs to one job: another hears who has it, and can neither take nor release it", async () => {
    const first = await scene.reach("APPLYING");
    await first.job.lockState("first");
    // A lock that an apply left behind, met by the run that comes after it.
    await scene.rows("update workspace set state_serial = 0 where id = $1", first.workspaceId);
    const second = await scene.reach("PLANNING");
    await scene.rows(
      "update state_lock set workspace_id = $2 where workspace_id = $1",
      first.workspaceId,
      second.workspaceId,
    );
    const { job } = second;
    const taken = await job.lockState("second");
    expect(taken.status).toBe(423);
    expect(taken.body).toMatchObject({ ID: "first", Who: "fake", Operation: "OperationTypeApply" });
    for (const id of ["second", "first"]) {
      expect(await job.unlockState(id)).toMatchObject({ status: 409, body: { ID: "first" } });
    }
    expect((await scene.workspace(second.workspaceId)).stateLock).toEqual({
      id: "first",
      who: "fake",
      run: { id: first.runId },
    });
  });

  it("of another job or a person is theirs, though its id is the same: it is not taken, written under or released", async () => {
    const left = await scene.reach("APPLYING");
    await left.job.lockState("shared");
    const next = await scene.reach("APPLYING");
    await scene.rows(
      "update state_lock set workspace_id = $2 where workspace_id = $1",
      left.workspaceId,
      next.workspaceId,
    );
    const taken = await scene.reach("APPLYING");
    const { name } = await scene.workspace(taken.workspaceId);
    const person = await fetch(`${scene.server.url}/state/default/${name}`, {
      method: "LOCK",
      headers: { authorization: `Basic ${btoa(`admin:${scene.api.token}`)}` },
      body: JSON.stringify({ ID: "shared", Operation: "OperationTypeApply", Who: "me@laptop", Version: "1.11.4" }),
    });
    expect(person.status).toBe(200);
    for (const [{ job, workspaceId }, holder] of [
      [next, "fake"],
      [taken, "me@laptop"],
    ] as const) {
      const info = { ID: "shared", Who: expect.stringContaining(holder) };
      expect(await job.lockState("shared")).toMatchObject({ status: 423, body: info });
      const refusal = { status: 423, body: { code: "STATE_LOCKED" } };
      expect(await job.writeState("shared", state(1))).toMatchObject(refusal);
      expect(await versions({ workspaceId })).toEqual([]);
      expect(await job.unlockState("shared")).toMatchObject({ status: 409, body: info });
      expect((await scene.workspace(workspaceId)).stateLock).toMatchObject({ id: "shared" });
    }
  });

  it("is one: the same job cannot take a second, nor release what it does not name", async () => {
    const { job, workspaceId } = await scene.reach("APPLYING");
    expect((await job.lockState("a")).status).toBe(200);
    expect(await job.lockState("b")).toMatchObject({ status: 423, body: { ID: "a" } });
    expect(await job.unlockState("b")).toMatchObject({ status: 409, body: { ID: "a" } });
    expect((await job.unlockState("a")).status).toBe(200);
    expect((await job.unlockState("a")).status).toBe(200);
    expect((await scene.workspace(workspaceId)).stateLock).toBeNull();
  });

  it("is taken once by many at once", async () => {
    const { job } = await scene.reach("APPLYING");
    const answers = await Promise.all(["a", "b", "c", "d"].map((id) => job.lockState(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 423, 423, 423]);
  });

  it("goes with a job that ends well, and with one that fails but knows what it did", async () => {
    const applied = await scene.reach("APPLYING");
    await applied.job.lockState("x");
    await applied.job.message({ type: "applied", appliedAddresses: [] });
    const failed = await scene.reach("APPLYING");
    await failed.job.lockState("x");
    const failure = report("APPLY_PARTIAL", { appliedAddresses: ["a.b"] });
    await failed.job.message({ type: "failed", failure });
    for (const { workspaceId } of [applied, failed]) {
      expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null, currentRun: null });
    }
    expect((await scene.run(failed.runId, "failure")).failure).toMatchObject({
      code: "APPLY_PARTIAL",
      appliedAddresses: ["a.b"],
    });
  });
});

describe("a state", () => {
  it("is written under its lock alone", async () => {
    const spot = await scene.reach("APPLYING");
    const refusal = { status: 423, body: { code: "STATE_LOCKED" } };
    expect(await spot.job.writeState("x", state(1))).toMatchObject(refusal);
    await spot.job.lockState("x");
    expect(await spot.job.writeState("y", state(1))).toMatchObject(refusal);
    expect(await spot.job.request("POST", "state", state(1))).toMatchObject(refusal);
    expect((await spot.job.writeState("x", state(1))).status).toBe(200);
    await spot.job.unlockState("x");
    expect(await spot.job.writeState("x", state(2))).toMatchObject(refusal);
    expect(await versions(spot)).toEqual([1]);
  });

  it("goes forward within its lineage, and every version is kept", async () => {
    const spot = await scene.reach("APPLYING");
    const { job } = spot;
    await job.lockState("x");
    const refusal = { status: 409, body: { code: "STATE_REFUSED" } };
    expect((await job.writeState("x", state(3))).status).toBe(200);
    expect((await job.writeState("x", state(3))).status).toBe(200);
    expect(await job.writeState("x", state(3, { terraform_version: "other" }))).toMatchObject(refusal);
    expect(await job.writeState("x", state(2))).toMatchObject(refusal);
    expect(await job.writeState("x", state(9, { lineage: "another" }))).toMatchObject(refusal);
    expect((await job.writeState("x", state(4))).status).toBe(200);
    expect((await job.writeState("x", state(10))).status).toBe(200);
    expect(await job.writeState("x", state(4))).toMatchObject(refusal);
    expect(await versions(spot)).toEqual([3, 4, 10]);
    const blobs = await scene.rows(
      "select kind from blob where workspace_id = $1 and kind = 'STATE'",
      spot.workspaceId,
    );
    expect(blobs).toHaveLength(3);
    expect((await job.request("GET", "state")).body).toEqual(state(10));
  });

  it("has a serial of at most 2^52", async () => {
    const spot = await scene.reach("APPLYING");
    await spot.job.lockState("x");
    expect(await spot.job.writeState("x", state(2 ** 52 + 1))).toMatchObject({
      status: 400,
      body: { code: "MALFORMED", message: expect.stringContaining("serial: must be a whole number from 0 to 45035") },
    });
    expect((await spot.job.writeState("x", state(2 ** 52))).status).toBe(200);
    expect(await versions(spot)).toEqual([2 ** 52]);
  });

  it("is what the next run reads, byte by byte, and the serial that it is told", async () => {
    const spot = await scene.reach("APPLYING");
    await spot.job.lockState("x");
    const text = `{ "version":4,"serial" : 7, "lineage":"line", "outputs":{}, "pad":"${"🐘".repeat(400_000)}" }\n`;
    expect((await spot.job.request("POST", "state?ID=x", Buffer.from(text))).status).toBe(200);
    await spot.job.message({ type: "applied", appliedAddresses: [] });
    const next = await scene.claim(await scene.createRun(spot.workspaceId));
    expect(next.job.stateSerial).toBe(7);
    const response = await fetch(`${scene.server.url}/runner/v1/jobs/${next.job.id}/state`, {
      headers: { authorization: `Bearer ${next.job.token}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(text))).toBe(true);
  });

  it("shows its outputs: nothing sensitive, numbers exactly, whatever they hold", async () => {
    const { job, workspaceId } = await scene.reach("APPLYING");
    await job.lockState("x");
    const body = `{"serial":1,"lineage":"line","outputs":{
      "big":{"value":12345678901234567890,"type":"number"},
      "small":{"value":1.50,"type":"number"},
      "list":{"value":[9007199254740993,{"a":null}],"sensitive":false},
      "secret":{"value":{"deep":"hunter2-hunter2"},"sensitive":true},
      "nul":{"value":"a\\u0000b"}, "half":{"value":"\\ud83d"}, "text":{"value":"\\\\u0000 🐘"}, "nothing":{"value":null}}}`;
    expect((await job.request("POST", "state?ID=x", Buffer.from(body))).status).toBe(200);
    const { outputs } = await scene.workspace(workspaceId);
    expect(outputs).toEqual([
      { name: "big", value: "12345678901234567890", sensitive: false },
      { name: "small", value: 1.5, sensitive: false },
      { name: "list", value: ["9007199254740993", { a: null }], sensitive: false },
      { name: "secret", value: null, sensitive: true },
      { name: "nul", value: "a\ufffdb", sensitive: false },
      { name: "half", value: "\ufffd", sensitive: false },
      { name: "text", value: "\\u0000 🐘", sensitive: false },
      { name: "nothing", value: null, sensitive: false },
    ]);
    // The next state has its own; an engine may also leave the field out.
    await job.writeState("x", { serial: 2, lineage: "line" });
    expect((await scene.workspace(workspaceId)).outputs).toEqual([]);
  });

  it("discards what waits at a gate on an older one", async () => {
    // Runs of one workspace meet at the gates where the workspace is let go there, which no setting does yet.
    const letGo = (runId: string) => scene.rows("update run set holds_workspace = false where id = $1", runId);
    const gate = await scene.reach("AWAITING_APPLY_APPROVAL");
    await letGo(gate.runId);
    const fresh = await scene.createRun(gate.workspaceId);
    await (await scene.claim(fresh)).plan({ stateSerial: 5 });
    await letGo(fresh);
    const applying = await scene.createRun(gate.workspaceId);
    await (await scene.claim(applying)).plan();
    await scene.quick("approveRun", { runId: applying, gate: "PLAN", planVersion: 1 });
    await scene.quick("approveRun", { runId: applying, gate: "APPLY", planVersion: 1 });
    const job = await scene.claim(applying);
    await job.message({ type: "prepared" });
    await job.lockState("x");
    await job.writeState("x", state(5));
    expect(await scene.run(gate.runId, "status", "failure")).toMatchObject({ status: "DISCARDED", failure: null });
    expect((await scene.run(gate.runId, "reason")).reason).toContain("serial 5");
    expect((await scene.run(fresh, "status")).status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await scene.run(applying, "status")).status).toBe("APPLYING");
  });
});
