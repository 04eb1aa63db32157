/** Runs of kind UNLOCK and TASK, and applies that are skipped: what the server does with what runners say of them. */
import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import type { Data } from "../support/api.ts";
import type { FakeJob } from "../support/fake-runner.ts";
import { openScene, report, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** Nobody hears from the runner any more, until its lease is over. */
async function lose(): Promise<void> {
  scene.server.advance(60_000);
  await loseExpiredLeases(scene.server.deps);
}

/** A workspace whose apply was lost while it had the state lock. */
async function lostApply(): Promise<Spot> {
  const spot = await scene.reach("APPLYING");
  await spot.job.lockState("theirs");
  await lose();
  expect((await scene.workspace(spot.workspaceId)).stateLock).toMatchObject({ id: "theirs" });
  return spot;
}

async function begin(runId: string): Promise<FakeJob> {
  const job = await scene.claim(runId);
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  return job;
}

async function lastEvent(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { events(last: 1) { edges { node {
    ... on RunStatusChanged { to reason } } } } } }`;
  return (await scene.api.ask(query, { id: runId })).run.events.edges[0].node;
}

describe("UNLOCK", () => {
  it("is told what an interrupted apply left, breaks it, and lets the next run in", async () => {
    const { workspaceId, runId: lost } = await lostApply();
    const next = await scene.createRun(workspaceId);
    expect((await scene.run(next, "status")).status).toBe("QUEUED");
    const runId = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    const job = await begin(runId);
    expect(job.job).toMatchObject({
      leg: "TASK",
      source: null,
      plan: null,
      command: null,
      unlock: {
        stateLock: { id: "theirs", who: "fake", operation: "OperationTypeApply", runId: lost },
        interruption: { runId: lost },
      },
    });
    expect((await job.message({ type: "performed" })).body).toEqual({ goOn: false });
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "FINISHED", outcome: "UNLOCKED", leg: "TASK", failure: null });
    expect(run.phases.map(({ kind, status }: Data) => `${kind} ${status}`)).toEqual([
      "PREPARE PASSED",
      "INIT PASSED",
      "PERFORM PASSED",
    ]);
    expect(run.reason).toMatch(/^Broken: State lock theirs: held by fake, .*run run_.* APPLY_INTERRUPTED/);
    expect(await lastEvent(runId)).toEqual({ to: "FINISHED", reason: run.reason });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null, currentRun: { id: next } });
    const told = await scene.rows(
      "select fields from workspace_event where workspace_id = $1 and actor_id = $2",
      workspaceId,
      run.createdBy.id,
    );
    expect(told).toContainEqual({ fields: ["stateLock", "lock"] });
    expect((await scene.run(next, "status")).status).toBe("READY");
  });

  it("says so where there is nothing to break", async () => {
    const workspaceId = await scene.createWorkspace();
    const runId = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    const job = await begin(runId);
    expect(job.job.unlock).toEqual({ stateLock: null, interruption: null });
    await job.message({ type: "performed" });
    const run = await scene.run(runId);
    expect(run).toMatchObject({ outcome: "UNLOCKED", reason: "There was no lock to break." });
  });

  it("leaves a person's lock alone", async () => {
    const workspaceId = await scene.createWorkspace();
    const runId = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    const job = await begin(runId);
    await scene.quick("lockWorkspace", { workspaceId, note: "mine" });
    expect((await job.message({ type: "performed" })).status).toBe(200);
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "MANUAL", note: "mine" });
  });

  it("never breaks what a live job has", async () => {
    const other = await scene.reach("APPLYING");
    await other.job.lockState("alive");
    const { workspaceId } = await scene.reach("READY");
    await scene.quick("cancelRun", { runId: (await scene.workspace(workspaceId)).currentRun.id });
    const runId = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    const job = await begin(runId);
    // No command brings this about: who has the workspace has the lock.
    await scene.rows("update state_lock set workspace_id = $1 where lock_id = 'alive'", workspaceId);
    expect((await job.message({ type: "performed" })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "STATE_LOCK_HELD", stateUncertain: false },
    });
    expect((await scene.workspace(workspaceId)).stateLock).toMatchObject({ id: "alive" });
  });

  it("may touch neither state nor source, and no other job may break a lock", async () => {
    const workspaceId = await scene.createWorkspace();
    const job = await begin(await scene.createRun(workspaceId, { kind: "UNLOCK" }));
    for (const answer of [
      await job.request("GET", "source"),
      await job.request("GET", "state"),
      await job.lockState("mine"),
      await job.writeState("mine", { version: 4, serial: 1, lineage: "l" }),
      await job.request("PUT", "archive", Buffer.from("x")),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    }
    const apply = await scene.reach("APPLYING");
    expect(await apply.job.message({ type: "performed" })).toMatchObject({ status: 409 });
  });

  it("that is lost at work keeps saying whose apply it was, and can be tried again", async () => {
    const { workspaceId, runId: lost } = await lostApply();
    const first = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    await begin(first);
    await lose();
    expect(await scene.run(first, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "RUNNER_LOST" },
    });
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ run: { id: lost } });
    const again = await scene.createRun(workspaceId, { kind: "UNLOCK" });
    await (await begin(again)).message({ type: "performed" });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null });
  });
});

describe("TASK", () => {
  const command = "terraform state rm terraform_data.a";

  async function approved(settings: object = {}): Promise<{ workspaceId: string; runId: string }> {
    const workspaceId = await scene.createWorkspace({ tasksAllowed: true, ...settings });
    const runId = await scene.createRun(workspaceId, { kind: "TASK", command });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 0 });
    return { workspaceId, runId };
  }

  it("shows its command at the apply gate, and what is approved is that command", async () => {
    const { runId } = await approved({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "CONFIRMED", command, leg: "TASK", plan: null });
    expect(run.warnings).toEqual([`This run executes a command in the prepared workspace: ${command}`]);
    const planDigest = createHash("sha256").update(command).digest("hex");
    expect(run.approvals).toMatchObject([{ gate: "APPLY", planVersion: 0, planDigest }]);
    expect(run.phases.map(({ kind }: Data) => kind)).toEqual(["APPLY_APPROVAL"]);
  });

  it("has source and command, writes the state under its lock, and ends PERFORMED", async () => {
    const { runId, workspaceId } = await approved();
    const job = await begin(runId);
    expect(job.job).toMatchObject({
      leg: "TASK",
      command,
      unlock: null,
      plan: null,
      source: { digest: expect.any(String) },
    });
    expect(await job.log("PERFORM", "one line")).toMatchObject({ status: 200 });
    expect(await job.lockState("mine")).toMatchObject({ status: 200 });
    expect(await job.writeState("mine", { version: 4, serial: 1, lineage: "l", outputs: {} })).toMatchObject({
      status: 200,
    });
    expect((await job.message({ type: "performed" })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "outcome", "appliedAt")).toMatchObject({
      status: "FINISHED",
      outcome: "PERFORMED",
      appliedAt: null,
    });
    expect(await scene.workspace(workspaceId)).toMatchObject({ stateLock: null, currentRun: null, lock: null });
  });

  it("that wrote a state discards plans of the older one", async () => {
    const { runId: waiting, workspaceId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", {
      tasksAllowed: true,
      lockScope: "EXECUTION",
    });
    const runId = await scene.createRun(workspaceId, { kind: "TASK", command });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 0 });
    const job = await begin(runId);
    await job.lockState("mine");
    await job.writeState("mine", { version: 4, serial: 1, lineage: "l", outputs: {} });
    expect(await scene.run(waiting, "status", "reason")).toMatchObject({
      status: "DISCARDED",
      reason: expect.stringContaining("The state moved"),
    });
    await job.message({ type: "performed" });
    expect((await scene.run(runId, "outcome")).outcome).toBe("PERFORMED");
  });

  it("that fails says so; one whose runner is lost at work leaves the state uncertain", async () => {
    const failed = await approved();
    const failure = report("TASK_FAILED", { evidence: ["no such address"] });
    await (await begin(failed.runId)).message({ type: "failed", failure });
    expect(await scene.run(failed.runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "TASK_FAILED", stage: "DEPLOY", retryable: false, evidence: ["no such address"] },
    });
    expect((await scene.workspace(failed.workspaceId)).lock).toBeNull();
    const lost = await approved();
    await (await begin(lost.runId)).lockState("mine");
    await lose();
    expect(await scene.run(lost.runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "RUNNER_LOST", stage: "DEPLOY", stateUncertain: true, retryable: false },
    });
    expect(await scene.workspace(lost.workspaceId)).toMatchObject({
      lock: { reason: "APPLY_INTERRUPTED" },
      stateLock: { id: "mine" },
    });
  });

  it("whose runner is lost before its work waits for another one, still approved", async () => {
    const { runId } = await approved();
    await (await scene.claim(runId)).message({ type: "prepared" });
    await lose();
    expect((await scene.run(runId, "status")).status).toBe("CONFIRMED");
    await (await begin(runId)).message({ type: "performed" });
    expect((await scene.run(runId, "outcome")).outcome).toBe("PERFORMED");
  });
});

it("a speculative plan may read the state, not lock it", async () => {
  const { job } = await scene.reach("PLANNING", "PLAN");
  expect(await job.lockState("mine")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await job.request("GET", "state")).toMatchObject({ status: 204 });
});

describe("HOLDPOINT_SKIP_APPLYING", () => {
  const skip = (workspaceId: string, value: string, more: object = {}) =>
    scene.send("setVariable", {
      workspaceId,
      key: "HOLDPOINT_SKIP_APPLYING",
      value,
      category: "ENVIRONMENT",
      ...more,
    });
  const REASON = "Not applied: the workspace variable HOLDPOINT_SKIP_APPLYING is true.";
  const SKIPPED = { status: "FINISHED", outcome: "APPLY_SKIPPED", reason: REASON, appliedAt: null, failure: null };

  it.each(["DEPLOY", "DESTROY"] as const)("ends an approved %s at its claim; no runner gets it", async (kind) => {
    const { runId, workspaceId } = await scene.reach("CONFIRMED", kind);
    const next = await scene.createRun(workspaceId);
    // Its value of now counts, and that it is sensitive changes nothing.
    await skip(workspaceId, "true", { sensitive: true });
    const job = await scene.claim(next);
    const run = await scene.run(runId);
    expect(run).toMatchObject({ ...SKIPPED, leg: kind === "DEPLOY" ? "APPLY" : "DESTROY" });
    expect(run.phases.at(-1)).toMatchObject({ kind: "PREPARE", status: "PASSED" });
    const jobs = await scene.rows("select leg from job where run_id = $1", runId);
    expect(jobs).toEqual([{ leg: "PLAN" }]);
    expect((await scene.workspace(workspaceId)).currentRun).toEqual({ id: next });
    await job.message({ type: "handedBack" });
  });

  it("ends an APPLY of a saved plan at its claim", async () => {
    const settings = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
    const { runId: planRunId, workspaceId, job } = await scene.reach("PREPARING", "PLAN", settings);
    await job.plan();
    await skip(workspaceId, "true");
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    const other = await scene.createRun(await scene.createWorkspace());
    await scene.claim(other);
    expect(await scene.run(runId)).toMatchObject({ ...SKIPPED, kind: "APPLY", leg: "APPLY" });
  });

  it("takes the place of an apply that nobody is asked about", async () => {
    const { runId, workspaceId, job } = await scene.reach("PREPARING", "DEPLOY", {
      planApproval: "WHEN_REQUIRED",
      autoApply: "ALWAYS",
    });
    await skip(workspaceId, "true");
    expect((await job.plan()).body).toEqual({ goOn: false });
    expect(await scene.run(runId)).toMatchObject({ ...SKIPPED, leg: "APPLY" });
    expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
  });

  it.each([
    ["TRUE", {}],
    ["1", {}],
    ["true", { category: "ENGINE" }],
  ] as const)("is nothing but exactly true, in the environment: %s %j", async (value, more) => {
    const { runId, workspaceId } = await scene.reach("CONFIRMED");
    await skip(workspaceId, value, more);
    expect((await scene.claim(runId)).job).toMatchObject({ leg: "APPLY" });
  });

  it("gives the organization's place to whoever waits for it", async () => {
    const { runId, workspaceId } = await scene.reach("CONFIRMED");
    const other = await scene.createRun(await scene.createWorkspace());
    await skip(workspaceId, "true");
    const live = await scene.rows("select count(*)::int as live from job where ended_at is null");
    const before = await scene.rows("select concurrency_limit from organization");
    await scene.rows("update organization set concurrency_limit = $1", live[0].live + 1);
    await scene.claim(other);
    expect(await scene.run(runId)).toMatchObject(SKIPPED);
    await scene.rows("update organization set concurrency_limit = $1", before[0].concurrency_limit);
  });
});
