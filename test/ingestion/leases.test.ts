import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Place, report, type Scene } from "../domain/scene.ts";

/** A lease is 30 s long. */
const LEASE_MS = 31_000;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function loseLeases(): Promise<void> {
  scene.server.advance(LEASE_MS);
  await loseExpiredLeases(scene.server.deps);
}

const phasesOf = (run: Data): string[] => run.phases.map((p: Data) => `${p.kind} ${p.attempt} ${p.status}`);

describe("a runner that is lost before anything was applied", () => {
  it.each<[Place, back: string, phase: string]>(
    walk(
      [
        ["PREPARING", "READY", "PREPARE 1 LOST"],
        ["INITIALIZING", "READY", "INIT 1 LOST"],
        ["PLANNING", "READY", "PLAN 1 LOST"],
        ["PREPARING/REPLAN", "REPLAN_REQUESTED", "PREPARE 2 LOST"],
        ["INITIALIZING/REPLAN", "REPLAN_REQUESTED", "INIT 2 LOST"],
        ["PLANNING/REPLAN", "REPLAN_REQUESTED", "PLAN 2 LOST"],
        ["PREPARING/APPLY", "CONFIRMED", "PREPARE 2 LOST"],
      ],
      2,
    ),
  )("in %s: the run waits in %s for another", async (place, back, phase) => {
    const { runId, workspaceId, job } = await scene.reach(place);
    await job.lockState("mine");
    const before = await scene.run(runId);
    await loseLeases();
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: back, leg: before.leg, failure: null, finishedAt: null });
    expect(phasesOf(run).at(-1)).toBe(phase);
    // The engine's lock goes with the lease; the run keeps the workspace, which nobody has to unlock.
    expect(await scene.workspace(workspaceId)).toMatchObject({
      stateLock: null,
      lock: null,
      currentRun: { id: runId },
    });
    expect(await job.heartbeat()).toMatchObject({ status: 410, body: { code: "JOB_OVER" } });
    const second = await scene.claim(runId);
    expect(second.job).toMatchObject({ leg: before.leg, plan: job.job.plan });
    expect(second.job.id).not.toBe(job.job.id);
    const [kind, attempt = ""] = phase.split(" ");
    const next = `PREPARE ${kind === "PREPARE" ? Number(attempt) + 1 : attempt === "1" ? 2 : 3} RUNNING`;
    expect(phasesOf(await scene.run(runId)).at(-1)).toBe(next);
    // The lost one cannot speak for the new one.
    expect((await job.message({ type: "prepared" })).status).toBe(410);
    expect((await second.message({ type: "prepared" })).status).toBe(200);
  });

  it("ends the run the third time, and shows what was last heard", async () => {
    const { runId, workspaceId, job } = await scene.reach("PLANNING");
    await job.log("PLAN", ...Array.from({ length: 9 }, (_, index) => `line ${index + 1}`));
    await loseLeases();
    await scene.claim(runId);
    await loseLeases();
    const third = await scene.claim(runId);
    await third.message({ type: "prepared" });
    await loseLeases();
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "FAILED", leg: "PLAN", requiredAction: "FIX_AND_RERUN" });
    expect(run.failure).toMatchObject({
      code: "RUNNER_LOST",
      stage: "INIT",
      category: "RUNNER_FAILURE",
      retryable: true,
      stateUncertain: false,
      appliedAddresses: null,
      message: "The lease of the runner expired without a heartbeat; this was attempt 3.",
      evidence: ["line 4", "line 5", "line 6", "line 7", "line 8", "line 9"],
    });
    expect(run.reason).toBe("The lease of the runner expired without a heartbeat.");
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null, currentRun: null });
    expect(phasesOf(run).filter((phase) => phase.endsWith("LOST"))).toEqual([
      "PLAN 1 LOST",
      "PREPARE 2 LOST",
      "INIT 2 LOST",
    ]);
  });

  it("counts each leg by itself: three times before the apply as well", async () => {
    const { runId } = await scene.reach("PREPARING/APPLY");
    await loseLeases();
    await scene.claim(runId);
    await loseLeases();
    await scene.claim(runId);
    expect((await scene.run(runId, "status")).status).toBe("PREPARING");
    await loseLeases();
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "FAILED", leg: "APPLY", appliedAt: null });
    expect(run.failure).toMatchObject({ code: "RUNNER_LOST", stage: "SETUP", stateUncertain: false, evidence: [] });
  });

  it("a job that is handed back does not count", async () => {
    const { runId } = await scene.reach("READY");
    for (let i = 0; i < 4; i++) {
      const job = await scene.claim(runId);
      expect((await job.message({ type: "handedBack" })).body).toEqual({ goOn: false });
      const run = await scene.run(runId);
      expect(run.status).toBe("READY");
      expect(phasesOf(run).at(-1)).toBe(`PREPARE ${i + 1} CANCELED`);
    }
    for (const status of ["READY", "READY", "FAILED"]) {
      await scene.claim(runId);
      await loseLeases();
      expect((await scene.run(runId, "status")).status).toBe(status);
    }
  });

  it("ends a run that somebody asked to stop, with what they said", async () => {
    for (const place of ["PREPARING", "PLANNING", "INITIALIZING/REPLAN"] as const) {
      const { runId, workspaceId } = await scene.reach(place);
      await scene.quick("cancelRun", { runId, comment: "wrong" });
      await loseLeases();
      const run = await scene.run(runId);
      expect(run).toMatchObject({ status: "STOPPED", forced: false, reason: "wrong", failure: null });
      expect(phasesOf(run).at(-1)).toMatch(/LOST$/);
      expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
    }
  });
});

describe("a runner that is lost while it applies", () => {
  it.each(["DEPLOY", "DESTROY"] as const)(
    "leaves a %s that nobody tries again, and a locked workspace",
    async (kind) => {
      const { runId, workspaceId, job } = await scene.reach("APPLYING", kind);
      await job.lockState("engine");
      const leg = kind === "DEPLOY" ? "APPLY" : "DESTROY";
      await job.log(leg, "Creating...");
      const next = await scene.createRun(workspaceId);
      await loseLeases();
      const run = await scene.run(runId);
      expect(run).toMatchObject({ status: "FAILED", leg, appliedAt: null, requiredAction: "FIX_AND_RERUN" });
      expect(run.failure).toMatchObject({
        code: "RUNNER_LOST",
        stage: "APPLY",
        retryable: false,
        stateUncertain: true,
        evidence: ["Creating..."],
      });
      expect(phasesOf(run).at(-1)).toBe(`${leg} 1 LOST`);
      const locked = await scene.workspace(workspaceId);
      expect(locked).toMatchObject({
        lock: { reason: "APPLY_INTERRUPTED", run: { id: runId } },
        stateLock: { id: "engine", run: { id: runId } },
        currentRun: null,
      });
      // Whatever comes late changes nothing.
      expect((await job.message({ type: "applied", appliedAddresses: [] })).status).toBe(410);
      // But for what only this runner knows: it is kept beside the line.
      expect((await job.writeState("engine", { serial: 1, lineage: "l" })).status).toBe(202);
      const waiting = await scene.run(next);
      expect(waiting).toMatchObject({ status: "QUEUED", requiredAction: "RELEASE_LOCK" });
      expect(waiting.blockers).toMatchObject([{ kind: "WORKSPACE_LOCKED" }]);
      expect(await scene.send("unlockWorkspace", { workspaceId })).toMatchObject({ code: "WORKSPACE_LOCKED" });
      // Somebody has checked: both locks go, and the next run is in.
      const { workspace } = await scene.send("unlockWorkspace", { workspaceId, force: true, note: "checked" });
      expect(workspace).toMatchObject({ lock: null, stateLock: null, currentRun: { id: next } });
      const job2 = await scene.claim(next);
      expect(await job2.lockState("new")).toMatchObject({ status: 200 });
    },
  );

  it("the same where the runner says itself that the state was not saved", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING");
    await job.lockState("engine");
    const failure = report("STATE_NOT_SAVED", { stateUncertain: true });
    await job.message({ type: "failed", failure });
    expect((await scene.run(runId, "failure")).failure).toMatchObject({
      code: "STATE_NOT_SAVED",
      stateUncertain: true,
    });
    expect(await scene.workspace(workspaceId)).toMatchObject({
      lock: { reason: "APPLY_INTERRUPTED", run: { id: runId } },
      stateLock: { id: "engine" },
    });
  });
});

describe("a lease", () => {
  it("lives as long as its runner is heard, also after it ran out and before anybody looked", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    for (let i = 0; i < 3; i++) {
      scene.server.advance(29_000);
      expect((await job.heartbeat()).status).toBe(200);
      await loseExpiredLeases(scene.server.deps);
      expect((await scene.run(runId, "status")).status).toBe("PLANNING");
    }
    scene.server.advance(LEASE_MS);
    expect((await job.heartbeat()).body).toEqual({ cancelRequested: false, expired: null });
    await loseExpiredLeases(scene.server.deps);
    expect((await scene.run(runId, "status")).status).toBe("PLANNING");
  });

  it("is kept by a heartbeat between the look for those that ran out and the end of this one", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    scene.server.advance(LEASE_MS);
    const { deps } = scene.server;
    const transaction: typeof deps.database.transaction = async (work, rights) => {
      expect((await job.heartbeat()).status).toBe(200);
      return deps.database.transaction(work, rights);
    };
    await loseExpiredLeases({ ...deps, database: { ...deps.database, sql: deps.database.sql, transaction } });
    expect((await scene.run(runId, "status")).status).toBe("PLANNING");
  });

  it("begins anew when a heartbeat comes, and not when one that is held hears something", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    const expiry = async (): Promise<string> =>
      (await scene.rows("select expires_at::text from job where id = $1", job.job.id))[0].expires_at;
    const before = await expiry();
    scene.server.advance(1000);
    const held = job.request("POST", "heartbeat", { waitMs: 10_000 });
    await expect.poll(expiry).not.toBe(before);
    const renewed = await expiry();
    scene.server.advance(1000);
    await scene.send("cancelRun", { runId });
    expect(await held).toMatchObject({ status: 200, body: { cancelRequested: true } });
    expect(await expiry()).toBe(renewed);
  });

  it("that ran out is lost once, however many look at once", async () => {
    const { runId } = await scene.reach("PLANNING");
    scene.server.advance(LEASE_MS);
    await Promise.all(Array.from({ length: 6 }, () => loseExpiredLeases(scene.server.deps)));
    const run = await scene.run(runId);
    expect(run.status).toBe("READY");
    expect(phasesOf(run).filter((phase) => phase.endsWith("LOST"))).toEqual(["PLAN 1 LOST"]);
  });

  it("ends with the message that it meets, or is lost: never both", async () => {
    for (let round = 0; round < 6; round++) {
      const { runId, job } = await scene.reach("PLANNING");
      await job.request("PUT", "archive", Buffer.from("a"));
      scene.server.advance(LEASE_MS);
      const failure = report("PLAN_FAILED");
      const [answer] = await Promise.all([
        job.message({ type: "failed", failure }),
        loseExpiredLeases(scene.server.deps),
        loseExpiredLeases(scene.server.deps),
      ]);
      const run = await scene.run(runId);
      expect([answer.status, run.status]).toEqual(answer.status === 200 ? [200, "FAILED"] : [410, "READY"]);
    }
  });
});
