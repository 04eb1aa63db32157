/** What a workspace lets its runs perform around the engine, and how far the engine is: through API and runner protocol. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hook } from "../../src/model/workspace/hook.ts";
import { lockLiveJob } from "../../src/persistence/dispatch/job-store.ts";
import { lockWorkspaceRow } from "../../src/persistence/workspace/workspace-store.ts";
import type { Data } from "../support/api.ts";
import { type FakeJob, fakePlan } from "../support/fake-runner.ts";
import { openScene, report, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const SECOND = 1000;
const hook = (stage: Hook["stage"], command: string): Hook => ({ stage, command });
const read = async (id: string, fields: string): Promise<Data> =>
  (await scene.api.ask(`query ($id: ID!) { run(id: $id) { ${fields} } }`, { id })).run;
const HOOKS = "hooks { stage command }";

describe("hooks", () => {
  it("are an admin's to set", async () => {
    const workspaceId = await scene.createWorkspace();
    const hooks = [hook("BEFORE_PLAN", "true")];
    for (const role of ["READER", "WRITER", "APPROVER"]) {
      const api = await scene.login(role);
      expect(await scene.send("updateWorkspace", { workspaceId, hooks }, api)).toMatchObject({ code: "FORBIDDEN" });
      const input = { name: `hooks-${role.toLowerCase()}`, source: { directory: { path: "/" } }, hooks };
      expect(await scene.send("createWorkspace", input, api)).toMatchObject({ code: "FORBIDDEN" });
    }
    const admin = await scene.login("ADMIN");
    expect(await scene.send("updateWorkspace", { workspaceId, hooks }, admin)).toMatchObject({
      workspace: { id: workspaceId },
    });
    const [event] = await scene.rows(
      "select fields from workspace_event where workspace_id = $1 order by id desc",
      workspaceId,
    );
    expect(event.fields).toEqual(["hooks"]);
  });

  it("are refused where they could not be performed, by their places", async () => {
    const workspaceId = await scene.createWorkspace();
    const refused = async (hooks: Hook[] | null) => {
      const answer = await scene.send("updateWorkspace", { workspaceId, hooks });
      expect(answer.code).toBe("INVALID_INPUT");
      return answer.issues.map(({ path }: Data) => path.join("."));
    };
    expect(await refused(null)).toEqual(["hooks"]);
    expect(await refused(Array.from({ length: 21 }, () => hook("AFTER_INIT", "true")))).toEqual(["hooks"]);
    expect(
      await refused([
        hook("AFTER_INIT", "x".repeat(8192)),
        hook("AFTER_INIT", "x".repeat(8193)),
        hook("BEFORE_PLAN", " \n"),
        hook("BEFORE_PLAN", "a\0b"),
      ]),
    ).toEqual(["hooks.1.command", "hooks.2.command", "hooks.3.command"]);
  });

  it("keep their purpose, which is GENERIC by default", async () => {
    const workspaceId = await scene.createWorkspace();
    const hooks = [hook("BEFORE_PLAN", "one"), { ...hook("BEFORE_PLAN", "two"), purpose: "BUILD" }];
    await scene.quick("updateWorkspace", { workspaceId, hooks });
    const runId = await scene.createRun(workspaceId);
    const expected = [
      { purpose: "GENERIC", command: "one" },
      { purpose: "BUILD", command: "two" },
    ];
    expect(await read(runId, "hooks { purpose command }")).toEqual({ hooks: expected });
    expect((await scene.claim(runId)).job.hooks).toEqual(hooks);
  });

  it("of a run are those of its creation, each leg has its own, and a retry takes those of now", async () => {
    const before = [hook("BEFORE_APPLY", "old"), hook("BEFORE_PLAN", "one"), hook("BEFORE_PLAN", "two")];
    const now = [hook("AFTER_PLAN", "new")];
    const spot = await scene.reach("READY", "DEPLOY", { hooks: before });
    const { workspaceId, runId } = spot;
    await scene.quick("updateWorkspace", { workspaceId, hooks: now });
    const planned = await scene.claim(runId);
    expect(planned.job.hooks).toEqual(before.slice(1));
    await planned.plan();
    expect(await read(runId, HOOKS)).toEqual({ hooks: before });
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    const applied = await scene.claim(runId);
    expect(applied.job.hooks).toEqual(before.slice(0, 1));
    await applied.message({ type: "failed", failure: report("HOOK_FAILED", { stage: "APPLY", stateUncertain: true }) });
    // Nothing was applied, whatever the runner says.
    expect(await read(runId, "status failure { code stage category stateUncertain }")).toEqual({
      status: "FAILED",
      failure: { code: "HOOK_FAILED", stage: "APPLY", category: "CONFIGURATION_FAILURE", stateUncertain: false },
    });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null, currentRun: null });
    const retried = await scene.quick("retryRun", { runId });
    expect(await read(retried, HOOKS)).toEqual({ hooks: now });
  });

  it("of an APPLY are those that its PLAN run had, and an UNLOCK has none", async () => {
    const hooks = [hook("BEFORE_APPLY", "seen"), hook("BEFORE_INIT", "init")];
    const workspaceId = await scene.createWorkspace({ hooks });
    const planRunId = await scene.plan(workspaceId);
    await scene.quick("updateWorkspace", { workspaceId, hooks: [] });
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    expect(await read(runId, HOOKS)).toEqual({ hooks });
    await scene.quick("cancelRun", { runId });
    expect(await read(await scene.quick("retryRun", { runId }), HOOKS)).toEqual({ hooks });
    const other = await scene.createWorkspace({ hooks });
    const unlock = await scene.createRun(other, { kind: "UNLOCK" });
    expect((await scene.claim(unlock)).job.hooks).toEqual([]);
  });
});

describe("progress", () => {
  const PROGRESS = `progress { phase total done failed current { address action startedAt } currentCount estimatedEndAt updatedAt }`;
  const AT = "2026-11-21T10:00:00.000Z";
  const progress = (more: object = {}): object => ({
    total: 4,
    done: 1,
    failed: 0,
    current: [],
    currentCount: 0,
    ...more,
  });
  const send = async (job: FakeJob, sequence: number, more: object = {}): Promise<number> =>
    (await job.request("POST", "progress", { sequence, ...progress(more) })).status;
  const told = async (runId: string): Promise<number> =>
    (await scene.rows("select 1 from run_event where run_id = $1 and data->'fields' ? 'progress'", runId)).length;
  const shown = async ({ runId }: Spot): Promise<Data> => (await read(runId, PROGRESS)).progress;

  it("is told while the engine is at it, pushed, and stays to be read", async () => {
    const spot = await scene.reach("INITIALIZING");
    const { runId, job } = spot;
    expect(await send(job, 1)).toBe(409);
    expect(await shown(spot)).toBeNull();
    await job.message({ type: "initialized" });
    await using items = scene.api.subscribe(
      `subscription ($runId: ID!) { runEvents(runId: $runId) { __typename ... on RunChanged { fields run { ${PROGRESS} } } } }`,
      { runId },
    );
    expect((await items.next()).value.runEvents.__typename).toBe("RunSnapshot");
    const current = [{ address: 'terraform_data.a["k"]', action: "REFRESH", startedAt: AT }];
    expect(await send(job, 2, { current, currentCount: 30 })).toBe(204);
    const pushed = (await items.next()).value.runEvents;
    expect(pushed).toMatchObject({ __typename: "RunChanged", fields: ["progress"] });
    const updatedAt = scene.server.deps.clock().toISOString();
    const first = { phase: "PLAN", ...progress({ current, currentCount: 30 }), estimatedEndAt: null, updatedAt };
    expect(pushed.run.progress).toEqual(first);
    expect(await shown(spot)).toEqual(first);

    // Within a second it is kept, and nobody is told; one that was overtaken is not even kept.
    expect([await send(job, 4, { done: 3 }), await send(job, 3, { done: 2 })]).toEqual([204, 204]);
    expect(await shown(spot)).toMatchObject({ done: 3 });
    expect(await told(runId)).toBe(1);
    scene.server.advance(SECOND);
    expect(await send(job, 5, { done: 4 })).toBe(204);
    expect(await told(runId)).toBe(2);
    // Also where the clock was put back; and whoever has the rows of the workspace and the job keeps nobody from telling.
    scene.server.advance(-10 * SECOND);
    await scene.server.deps.database.transaction(async (tx) => {
      await lockWorkspaceRow(tx, spot.workspaceId);
      await lockLiveJob(tx, job.job.id);
      expect(await send(job, 6, { done: 4 })).toBe(204);
    });
    scene.server.advance(10 * SECOND);
    expect(await told(runId)).toBe(3);

    await job.message({ type: "failed", failure: report("PLAN_FAILED") });
    expect(await send(job, 7)).toBe(410);
    // That it came too late is nothing that anybody needs to look at.
    expect(await scene.rows("select request from refused_request where job_id = $1", job.job.id)).toEqual([]);
    expect(await shown(spot)).toMatchObject({
      phase: "PLAN",
      done: 4,
      current: [],
      currentCount: 0,
      estimatedEndAt: null,
    });
  });

  it("of an apply that ended well is whole, whatever was told last", async () => {
    const spot = await scene.reach("APPLYING");
    const current = [{ address: "terraform_data.a", action: "CREATE", startedAt: AT }];
    expect(await send(spot.job, 1, { current, currentCount: 1 })).toBe(204);
    await spot.job.message({ type: "applied", appliedAddresses: [] });
    expect(await shown(spot)).toMatchObject({ phase: "APPLY", total: 4, done: 4, failed: 0, current: [] });
  });

  it("of an attempt that was given up is not that of the next", async () => {
    const spot = await scene.reach("PLANNING");
    expect(await send(spot.job, 1)).toBe(204);
    await spot.job.message({ type: "handedBack" });
    scene.server.advance(SECOND);
    const job = await scene.claim(spot.runId);
    await job.message({ type: "prepared" });
    await job.message({ type: "initialized" });
    expect(await shown(spot)).toBeNull();
    expect(await send(job, 1, { done: 2 })).toBe(204);
    expect(await shown(spot)).toMatchObject({ done: 2 });
  });

  it("is refused where it is not what it should be, and changes nothing", async () => {
    const spot = await scene.reach("PLANNING");
    const one = { address: "terraform_data.a", action: "READ", startedAt: AT };
    const wrong: object[] = [
      { done: -1 },
      { done: 1.5 },
      { done: 1_000_001 },
      { total: "4" },
      { current: Array.from({ length: 21 }, () => one) },
      { current: [{ ...one, address: "x".repeat(1025) }] },
      { current: [{ ...one, address: "a\0b" }] },
      { current: [{ ...one, action: "EXPLODE" }] },
      { current: [{ ...one, startedAt: "yesterday" }] },
      { sequence: 0 },
      { sequence: 2 ** 31 },
    ];
    for (const more of wrong) expect([more, await send(spot.job, 1, more)]).toEqual([more, 400]);
    const large = await spot.job.request("POST", "progress", { padding: "x".repeat(200_000) });
    expect(large.status).toBe(413);
    const stranger = await scene.reach("PLANNING");
    const forged = await spot.job.request("POST", "progress", { sequence: 1, ...progress() }, stranger.job.job.token);
    expect(forged.status).toBe(403);
    expect([await shown(spot), await told(spot.runId)]).toEqual([null, 0]);
  });

  it("has an estimate after five runs of the workspace that counted theirs", async () => {
    const workspaceId = await scene.createWorkspace();
    const begin = async (): Promise<Spot> => {
      const runId = await scene.createRun(workspaceId, { kind: "PLAN" });
      const job = await scene.claim(runId);
      await job.message({ type: "prepared" });
      await job.message({ type: "initialized" });
      return { workspaceId, runId, job };
    };
    for (let count = 0; count < 5; count++) {
      const { job } = await begin();
      await send(job, 1, { total: 10, done: 0 });
      scene.server.advance(20 * SECOND);
      await job.request("PUT", "archive", Buffer.from("archive"));
      await job.message({ type: "planned", plan: fakePlan() });
      if (count === 3) {
        const early = await begin();
        await send(early.job, 1);
        expect(await shown(early)).toMatchObject({ estimatedEndAt: null });
        await early.job.message({ type: "failed", failure: report("PLAN_FAILED") });
      }
    }
    const spot = await begin();
    await send(spot.job, 1, { total: 10, done: 4, failed: 1 });
    // Two seconds each, five to go.
    const end = new Date(scene.server.deps.clock().getTime() + 10 * SECOND).toISOString();
    expect(await shown(spot)).toMatchObject({ estimatedEndAt: end });
  });
});
