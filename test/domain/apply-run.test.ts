/** Runs of kind APPLY: the saved plan of a PLAN run, from its creation over the gates to its end. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { EVERY_PART, openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const apply = async (workspaceId: string, planRunId: string, input: object = {}): Promise<Data> =>
  scene.send("createRun", { workspaceId, kind: "APPLY", planRunId, ...input }, scene.api, EVERY_PART);

async function approve(runId: string, ...gates: string[]): Promise<Data> {
  let answer: Data = null;
  for (const gate of gates)
    answer = await scene.send("approveRun", { runId, gate, planVersion: 1 }, scene.api, ["approvals"]);
  return answer;
}

/** Another run changes the state while a workspace lets go at its gates. */
async function deployElsewhere(workspaceId: string, serial: number): Promise<void> {
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  await approve(runId, "PLAN", "APPLY");
  await (await scene.claim(runId)).apply(serial);
}

const moveState = (workspaceId: string) =>
  scene.rows("update workspace set state_serial = state_serial + 1 where id = $1", workspaceId);

const rule = (gate: string, kinds: string[]) => ({
  name: `${gate} ${kinds.join()}`,
  gate,
  kinds,
  minimum: 1,
  approverIds: [],
  teamIds: [],
  excludeRequester: false,
  distinctFromPlanApprover: false,
  commentRequired: false,
  machinesCount: false,
  requirePresence: false,
});
const setRules = (workspaceId: string, ...rules: object[]) =>
  scene.rows("update workspace set approval_rules = $2 where id = $1", workspaceId, JSON.stringify(rules));

const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };

it("applies exactly what was planned, with everything that the plan was made from", async () => {
  const workspaceId = await scene.createWorkspace();
  await scene.send("setVariable", { workspaceId, key: "size", value: "1", sensitive: true });
  const input = { targets: ["a.b"], replace: ["a.c"] };
  const planRunId = await scene.plan(workspaceId, input, { complete: false });
  await scene.send("setVariable", { workspaceId, key: "size", value: "2", sensitive: true });
  const before = await scene.run(planRunId);
  const { run, created } = await apply(workspaceId, planRunId, { message: "now", priority: 3 });
  expect(created).toBe(true);
  expect(run).toMatchObject({
    kind: "APPLY",
    leg: "APPLY",
    status: "AWAITING_PLAN_APPROVAL",
    trigger: "MANUAL",
    message: "now",
    priority: 3,
    revision: before.revision,
    targets: ["a.b"],
    replace: ["a.c"],
    origin: { id: planRunId },
    plan: { ...before.plan, isCurrent: true },
    plans: before.plans,
    dialects: { forgecroft: { planVersion: 1 } },
    warnings: ["The plan is limited to its targets; another plan is needed to converge."],
  });
  expect((await scene.workspace(workspaceId)).currentRun).toEqual({ id: run.id });
  expect((await approve(run.id, "PLAN", "APPLY")).run).toMatchObject({
    status: "CONFIRMED",
    approvals: [
      { gate: "PLAN", planDigest: before.plan.digest },
      { gate: "APPLY", planDigest: before.plan.digest },
    ],
  });
  const job = await scene.claim(run.id);
  expect(job.job).toMatchObject({
    leg: "APPLY",
    run: { kind: "APPLY" },
    plan: { version: 1, digest: before.plan.digest },
    variables: [{ key: "size", value: "1" }],
    targets: ["a.b"],
  });
  const archive = await fetch(`${scene.server.url}/runner/v1/jobs/${job.job.id}/archive`, {
    headers: { authorization: `Bearer ${job.job.token}` },
  });
  expect(await archive.text()).toBe("archive");
  await job.apply(1);
  const ended = await scene.run(run.id);
  expect(ended).toMatchObject({ status: "FINISHED", outcome: "APPLIED", plan: { isCurrent: false } });
  expect(ended.appliedAt).not.toBeNull();
  expect((await scene.run(planRunId, "plan")).plan).toMatchObject({ digest: before.plan.digest, isCurrent: false });
  expect(await scene.workspace(workspaceId)).toMatchObject({ deploymentStatus: "RUNNING", currentRun: null });
});

describe("is admitted", () => {
  it.each([
    ["ALWAYS", "ALWAYS", "AWAITING_PLAN_APPROVAL"],
    ["WHEN_REQUIRED", "NEVER", "AWAITING_APPLY_APPROVAL"],
    ["WHEN_REQUIRED", "ALWAYS", "CONFIRMED"],
  ])("with planApproval %s and autoApply %s to %s", async (planApproval, autoApply, status) => {
    const workspaceId = await scene.createWorkspace({ planApproval, autoApply });
    const { run } = await apply(workspaceId, await scene.plan(workspaceId));
    expect(run).toMatchObject({ status, leg: "APPLY" });
    if (status === "CONFIRMED") expect((await scene.claim(run.id)).job.leg).toBe("APPLY");
  });

  it("to the plan gate where a rule asks for it", async () => {
    const workspaceId = await scene.createWorkspace(EAGER);
    await setRules(workspaceId, rule("PLAN", ["APPLY"]));
    const { run } = await apply(workspaceId, await scene.plan(workspaceId));
    expect(run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await approve(run.id, "PLAN")).run.status).toBe("CONFIRMED");
  });

  it("past the plan gate where people let the PLAN run pass it", async () => {
    const workspaceId = await scene.createWorkspace();
    await setRules(workspaceId, rule("PLAN", ["PLAN", "APPLY"]));
    const planRunId = await scene.plan(workspaceId);
    expect((await scene.run(planRunId, "status")).status).toBe("AWAITING_PLAN_APPROVAL");
    expect(await apply(workspaceId, planRunId)).toMatchObject({ issues: [{ path: ["planRunId"] }] });
    expect((await approve(planRunId, "PLAN")).run).toMatchObject({ status: "FINISHED", outcome: "PLANNED" });
    const { run } = await apply(workspaceId, planRunId);
    expect(run.status).toBe("AWAITING_APPLY_APPROVAL");
    expect((await approve(run.id, "APPLY")).run.status).toBe("CONFIRMED");
  });
});

it("is refused in the same words for every run that is no plan to apply", async () => {
  const workspaceId = await scene.createWorkspace();
  const other = await scene.createWorkspace();
  const deleted = await scene.createWorkspace();
  const gone = await scene.plan(deleted);
  await scene.send("deleteWorkspace", { workspaceId: deleted });
  const unchanged = await scene.createRun(workspaceId, { kind: "PLAN" });
  await (await scene.claim(unchanged)).plan({ hasChanges: false, resourceChanges: [] });
  const deploy = await scene.createRun(other);
  const bad = [
    await scene.plan(other),
    gone,
    unchanged,
    await scene.createRun(workspaceId, { kind: "PLAN" }),
    deploy,
    workspaceId,
    "",
  ];
  const count = (await scene.workspace(workspaceId)).runs.totalCount;
  const answers = await Promise.all(bad.map((planRunId) => apply(workspaceId, planRunId)));
  expect(answers.map(({ issues }) => issues)).toEqual(
    bad.map(() => [
      {
        path: ["planRunId"],
        message: "must be a PLAN run of this workspace that finished with changes to apply.",
      },
    ]),
  );
  expect((await scene.workspace(workspaceId)).runs.totalCount).toBe(count);
});

it("gives the same run to the same request, also when it was applied; another plan is another request", async () => {
  const workspaceId = await scene.createWorkspace(EAGER);
  const planRunId = await scene.plan(workspaceId);
  const second = await scene.plan(workspaceId);
  const { run } = await apply(workspaceId, planRunId, { idempotencyKey: "k" });
  await (await scene.claim(run.id)).apply(1);
  expect(await apply(workspaceId, planRunId, { idempotencyKey: "k" })).toMatchObject({
    created: false,
    run: { id: run.id, status: "FINISHED" },
  });
  expect(await apply(workspaceId, second, { idempotencyKey: "k" })).toMatchObject({
    code: "IDEMPOTENCY_CONFLICT",
    run: { id: run.id },
  });
});

describe("a plan that the state has moved away from", () => {
  it("is not taken", async () => {
    const workspaceId = await scene.createWorkspace();
    const planRunId = await scene.plan(workspaceId);
    await moveState(workspaceId);
    expect(await apply(workspaceId, planRunId)).toMatchObject({
      code: "STALE_PLAN",
      run: { id: planRunId, plan: { isCurrent: false } },
    });
  });

  it("is discarded at the gate", async () => {
    const workspaceId = await scene.createWorkspace({ lockScope: "EXECUTION" });
    const { run } = await apply(workspaceId, await scene.plan(workspaceId));
    const other = await apply(workspaceId, await scene.plan(workspaceId));
    await approve(other.run.id, "PLAN");
    await deployElsewhere(workspaceId, 1);
    for (const { id } of [run, other.run]) {
      expect(await scene.run(id, "status", "reason")).toMatchObject({
        status: "DISCARDED",
        reason: expect.stringContaining("serial 1"),
      });
    }
  });

  it("is not approved", async () => {
    const workspaceId = await scene.createWorkspace();
    const { run } = await apply(workspaceId, await scene.plan(workspaceId));
    await moveState(workspaceId);
    const before = await scene.run(run.id);
    expect(await approve(run.id, "PLAN")).toMatchObject({ code: "STALE_PLAN", run: { id: run.id } });
    expect(await scene.run(run.id)).toEqual(before);
    expect((await scene.send("discardRun", { runId: run.id, planVersion: 1 })).run.status).toBe("DISCARDED");
  });

  it("is discarded as it comes out of the queue, and the next run follows", async () => {
    const workspaceId = await scene.createWorkspace();
    const planRunId = await scene.plan(workspaceId);
    const first = await apply(workspaceId, planRunId);
    const second = await apply(workspaceId, planRunId);
    const next = await scene.createRun(workspaceId);
    expect(second.run).toMatchObject({ status: "QUEUED", plan: { isCurrent: true } });
    await approve(first.run.id, "PLAN", "APPLY");
    await (await scene.claim(first.run.id)).apply(1);
    expect(await scene.run(second.run.id, "status", "reason")).toMatchObject({
      status: "DISCARDED",
      reason: "The state moved from serial 0 to 1 since the plan was made.",
    });
    expect((await scene.run(next, "status")).status).toBe("READY");
  });

  it("fails at its claim where it was approved before", async () => {
    const workspaceId = await scene.createWorkspace({ lockScope: "EXECUTION" });
    const { run } = await apply(workspaceId, await scene.plan(workspaceId));
    const other = await scene.createRun(workspaceId, { priority: 1 });
    await (await scene.claim(other)).plan();
    await approve(other, "PLAN", "APPLY");
    await approve(run.id, "PLAN", "APPLY");
    expect((await scene.run(run.id, "status")).status).toBe("CONFIRMED");
    await (await scene.claim(other)).apply(1);
    await scene.claim(run.id).catch(() => null);
    expect(await scene.run(run.id, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "PLAN_STALE" },
    });
  });
});

it("fails at its claim where the plan went stale in the queue and nobody is asked", async () => {
  const workspaceId = await scene.createWorkspace(EAGER);
  const planRunId = await scene.plan(workspaceId);
  const first = await apply(workspaceId, planRunId);
  const second = await apply(workspaceId, planRunId);
  const next = await scene.createRun(workspaceId);
  await (await scene.claim(first.run.id)).apply(1);
  expect((await scene.run(second.run.id, "status")).status).toBe("CONFIRMED");
  // Whoever asks for work gets what comes after it.
  expect((await scene.claim(next)).job.leg).toBe("PLAN");
  expect(await scene.run(second.run.id, "status", "failure", "plan")).toMatchObject({
    status: "FAILED",
    failure: { code: "PLAN_STALE", stateUncertain: false },
    plan: { isCurrent: false },
  });
  expect((await scene.workspace(workspaceId)).lock).toBeNull();
});

describe("retryRun", () => {
  it("makes a new APPLY of the same plan, with its variables, as long as that is fresh", async () => {
    const workspaceId = await scene.createWorkspace();
    await scene.send("setVariable", { workspaceId, key: "size", value: "1" });
    const planRunId = await scene.plan(workspaceId, { refreshOnly: true });
    await scene.send("setVariable", { workspaceId, key: "size", value: "2" });
    const metadata = [{ key: "a", value: "b" }];
    const { run } = await apply(workspaceId, planRunId, { metadata, priority: 2 });
    await scene.send("discardRun", { runId: run.id });
    const retried = await scene.send("retryRun", { runId: run.id }, scene.api, EVERY_PART);
    expect(retried.run).toMatchObject({
      kind: "APPLY",
      trigger: "RETRY",
      status: "AWAITING_PLAN_APPROVAL",
      origin: { id: run.id },
      plan: { id: run.plan.id, version: 1, isCurrent: true },
      refreshOnly: true,
      metadata,
      priority: 2,
    });
    await approve(retried.run.id, "PLAN", "APPLY");
    const job = await scene.claim(retried.run.id);
    expect(job.job).toMatchObject({
      variables: [{ key: "size", value: "1" }],
      refreshOnly: true,
      plan: { digest: run.plan.digest },
    });
    await job.apply(1);
    const answer = await scene.send("retryRun", { runId: run.id });
    expect(answer).toMatchObject({ code: "STALE_PLAN", run: { id: run.id }, seen: 1, current: { id: run.plan.id } });
    const action = (await scene.run(run.id, "actions")).actions.find((one: Data) => one.action === "RETRY");
    expect(action).toMatchObject({ allowed: false, code: "STALE_PLAN", reason: answer.message });
  });
});

it("cannot be replanned", async () => {
  const workspaceId = await scene.createWorkspace();
  const { run } = await apply(workspaceId, await scene.plan(workspaceId));
  expect(await scene.send("replanRun", { runId: run.id, planVersion: 1 })).toMatchObject({
    code: "RUN_STATE_CONFLICT",
  });
});
