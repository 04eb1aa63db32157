import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import type { Data } from "../support/api.ts";
import { FakeJob, fakePlan, type ProtocolAnswer } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";
import { openScene, report, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };

/** A run whose plan was just reported, in a workspace with these settings. */
async function plan(
  settings: object,
  content: Partial<PlanContent> = {},
  input: object = {},
): Promise<Spot & { answer: ProtocolAnswer }> {
  const workspaceId = await scene.createWorkspace(settings);
  const runId = await scene.createRun(workspaceId, input);
  const job = await scene.claim(runId);
  return { workspaceId, runId, job, answer: await job.plan(content) };
}

const nextJob = ({ body }: ProtocolAnswer): FakeJob => new FakeJob(scene.server.url, body.next);
const counts = (given: Partial<PlanContent["counts"]>): Partial<PlanContent> => ({
  counts: { ...fakePlan().counts, additions: 0, ...given },
});

describe("a plan that is applied without a person", () => {
  it("is applied by the same runner, as a job with a token and a phase of its own", async () => {
    const { workspaceId, runId, job, answer } = await plan(EAGER);
    expect(answer).toMatchObject({ status: 200, body: { goOn: false, next: { leg: "APPLY", run: { id: runId } } } });
    const apply = nextJob(answer);
    expect(apply.job).toMatchObject({ plan: { version: 1 }, nextLine: 1 });
    expect(apply.job.token).not.toBe(job.job.token);
    const applying = await scene.run(runId);
    expect(applying).toMatchObject({ status: "APPLYING", leg: "APPLY", approvals: [], plan: { version: 1 } });
    expect(applying.phases.at(-1)).toEqual({ kind: "APPLY", attempt: 1, status: "RUNNING" });

    // The plan's token is worth nothing any more; the apply's may write the state.
    expect((await job.lockState("old")).status).toBe(410);
    expect((await job.heartbeat()).status).toBe(410);
    expect(await apply.log("APPLY", "Runner fake")).toMatchObject({ status: 200 });
    expect(await apply.apply(1)).toMatchObject({ status: 200, body: { goOn: false } });
    expect(await scene.run(runId, "status", "outcome")).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, currentRun: null });
    expect((await scene.run(runId, "appliedAt")).appliedAt).not.toBeNull();
  });

  it("is handed over again where the answer was lost, until the apply has ended", async () => {
    const { runId, job, answer } = await plan(EAGER);
    const planned = { type: "planned", plan: fakePlan() } as const;
    // Another plan under the same number is not the message that was taken.
    expect((await job.message(planned, job.sequence)).status).toBe(410);
    const apply = nextJob(answer);
    const [row] = await scene.rows("select count(*) as jobs from job where run_id = $1", runId);
    expect(row.jobs).toBe(2);
    await apply.apply(1);
    expect(await scene.run(runId, "outcome")).toMatchObject({ outcome: "APPLIED" });
  });

  it("is answered alike when it is reported twice", async () => {
    const workspaceId = await scene.createWorkspace(EAGER);
    const job = await scene.claim(await scene.createRun(workspaceId));
    await job.message({ type: "prepared" });
    await job.message({ type: "initialized" });
    await job.request("PUT", "archive", Buffer.from("archive"));
    const planned = { type: "planned", plan: fakePlan() } as const;
    const answers = [await job.message(planned, 3), await job.message(planned, 3)];
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.body.next.id).toBeDefined();
    if (answers[0] !== undefined) await nextJob(answers[0]).apply(1);
    expect((await job.message(planned, 3)).body).toEqual({ goOn: false });
  });

  it("whose runner is lost leaves a workspace that somebody must look at", async () => {
    const { workspaceId, runId } = await plan(EAGER);
    scene.server.advance(31_000);
    await loseExpiredLeases(scene.server.deps);
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "RUNNER_LOST", stateUncertain: true },
    });
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "APPLY_INTERRUPTED" });
    const next = await scene.createRun(workspaceId);
    expect(await scene.run(next, "status", "requiredAction")).toMatchObject({
      status: "QUEUED",
      requiredAction: "RELEASE_LOCK",
    });
  });

  it("cannot be handed back or cancelled, and fails as any apply", async () => {
    const { workspaceId, runId, answer } = await plan(EAGER);
    const apply = nextJob(answer);
    expect((await scene.send("cancelRun", { runId })).code).toBe("RUN_STATE_CONFLICT");
    expect((await apply.message({ type: "handedBack" }, 1)).status).toBe(409);
    await apply.message({ type: "prepared" }, 1);
    expect((await apply.message({ type: "prepared" }, 2)).status).toBe(409);
    await apply.message({ type: "failed", failure: report("APPLY_FAILED") }, 2);
    expect(await scene.run(runId, "status", "leg", "failure")).toMatchObject({
      status: "FAILED",
      leg: "APPLY",
      failure: { code: "APPLY_FAILED" },
    });
    expect((await scene.workspace(workspaceId)).lock).toBeNull();
  });
});

describe("what waits for a person all the same", () => {
  const settings = (autoApply: string) => ({ planApproval: "WHEN_REQUIRED", autoApply });
  it.each<[string, object, Partial<PlanContent>, object, string]>(
    walk(
      [
        ["nothing is allowed", settings("NEVER"), {}, {}, "AWAITING_APPLY_APPROVAL"],
        ["two people's eyes are the rule", { ...EAGER, planApproval: "ALWAYS" }, {}, {}, "AWAITING_PLAN_APPROVAL"],
        ["everything is destroyed", EAGER, {}, { kind: "DESTROY" }, "AWAITING_APPLY_APPROVAL"],
        ["the plan is not complete", EAGER, { complete: false }, {}, "AWAITING_APPLY_APPROVAL"],
        ["something is changed", settings("CREATE_ONLY"), counts({ changes: 1 }), {}, "AWAITING_APPLY_APPROVAL"],
        [
          "the state is refreshed",
          settings("CREATE_ONLY"),
          counts({}),
          { refreshOnly: true },
          "AWAITING_APPLY_APPROVAL",
        ],
        ["something goes", settings("NO_DESTROY"), counts({ destructions: 1 }), {}, "AWAITING_APPLY_APPROVAL"],
        ["something is made anew", settings("NO_DESTROY"), counts({ replacements: 1 }), {}, "AWAITING_APPLY_APPROVAL"],
        ["something is forgotten", settings("NO_DESTROY"), counts({ forgets: 1 }), {}, "AWAITING_APPLY_APPROVAL"],
      ],
      3,
    ),
  )("because %s", async (_why, given, content, input, status) => {
    const { runId, answer } = await plan(given, content, input);
    expect(answer.body).toEqual({ goOn: false });
    expect((await scene.run(runId, "status")).status).toBe(status);
  });

  it.each<[string, object, Partial<PlanContent>, object]>(
    walk(
      [
        ["creations alone", settings("CREATE_ONLY"), {}, {}],
        ["changes without destructions", settings("NO_DESTROY"), counts({ changes: 2 }), {}],
        ["everything", EAGER, counts({ destructions: 3, replacements: 1 }), {}],
        ["picked targets", EAGER, { complete: false }, { targets: ["terraform_data.a"] }],
        ["a refreshed state", settings("NO_DESTROY"), counts({}), { refreshOnly: true }],
      ],
      2,
    ),
  )("but not %s", async (_what, given, content, input) => {
    const { runId, answer } = await plan(given, content, input);
    expect(answer.body.next).toBeDefined();
    expect((await scene.run(runId, "status")).status).toBe("APPLYING");
  });

  it.each<[string, (workspaceId: string) => Promise<Data>]>(
    walk(
      [
        ["a lock", (workspaceId) => scene.send("lockWorkspace", { workspaceId })],
        ["a pause", (workspaceId) => scene.send("updateWorkspace", { workspaceId, paused: true })],
      ],
      2,
    ),
  )("because of %s that came meanwhile", async (_what, hold) => {
    const workspaceId = await scene.createWorkspace(EAGER);
    const runId = await scene.createRun(workspaceId);
    const job = await scene.claim(runId);
    await hold(workspaceId);
    expect((await job.plan()).body).toEqual({ goOn: false });
    expect((await scene.run(runId, "status")).status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("stops where somebody asked for that before the plan came", async () => {
    const workspaceId = await scene.createWorkspace(EAGER);
    const runId = await scene.createRun(workspaceId);
    const job = await scene.claim(runId);
    await scene.quick("cancelRun", { runId });
    expect((await job.plan()).body).toEqual({ goOn: false });
    expect((await scene.run(runId, "status")).status).toBe("STOPPED");
  });
});

describe("a speculative plan", () => {
  it("holds nothing, waits for nobody, and ends PLANNED", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const behind = await scene.createRun(workspaceId);
    const runIds = [
      await scene.createRun(workspaceId, { kind: "PLAN" }),
      await scene.createRun(workspaceId, { kind: "PLAN" }),
    ];
    for (const id of runIds) {
      expect(await scene.run(id, "status", "kind")).toMatchObject({ status: "READY", kind: "PLAN" });
      const job = await scene.claim(id);
      expect(job.job.run.kind).toBe("PLAN");
      expect((await job.plan()).body).toEqual({ goOn: false });
      expect(await scene.run(id, "status", "outcome", "plan")).toMatchObject({
        status: "FINISHED",
        outcome: "PLANNED",
        plan: { version: 1 },
      });
      expect((await scene.workspace(workspaceId)).currentRun).toEqual({ id: runId });
    }
    expect(await scene.run(behind, "status", "blockers")).toMatchObject({
      status: "QUEUED",
      blockers: [{ kind: "WORKSPACE_BUSY" }],
    });
    const none = await scene.claim(await scene.createRun(workspaceId, { kind: "PLAN" }));
    await none.plan({ hasChanges: false });
    expect(await scene.run(none.job.run.id, "status", "outcome")).toMatchObject({
      status: "FINISHED",
      outcome: "NO_CHANGES",
    });
  });

  it("waits for a lock and a pause like any run, and does not keep others from coming first", async () => {
    const workspaceId = await scene.createWorkspace(EAGER);
    await scene.send("lockWorkspace", { workspaceId });
    const first = await scene.createRun(workspaceId, { kind: "PLAN" });
    const second = await scene.createRun(workspaceId);
    for (const id of [first, second]) {
      expect(await scene.run(id, "status", "blockers")).toMatchObject({
        status: "QUEUED",
        blockers: [{ kind: "WORKSPACE_LOCKED" }],
      });
    }
    await scene.send("unlockWorkspace", { workspaceId });
    for (const id of [first, second]) expect((await scene.run(id, "status")).status).toBe("READY");
  });
});
