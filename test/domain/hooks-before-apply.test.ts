/** A run whose hooks are performed before its apply is INITIALIZING: shown as what it is, and as safe as PREPARING. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { openScene, report, type Scene, type Spot } from "./scene.ts";
import { walk } from "../support/walk.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const HOOKED = { hooks: [{ stage: "BEFORE_APPLY", command: "./backup.sh" }] };

describe.each(walk(["DEPLOY", "DESTROY"] as const, 1))("a %s", (kind) => {
  const leg = kind === "DEPLOY" ? "APPLY" : "DESTROY";
  let spot: Spot;
  beforeEach(async () => {
    spot = await scene.reach("PREPARING/APPLY", kind, HOOKED);
    expect(await spot.job.message({ type: "restored" })).toMatchObject({ status: 200, body: { goOn: true } });
  });
  const status = async () => (await scene.run(spot.runId, "status")).status;

  it("is INITIALIZING while they are performed, with a phase and a log of its own, and applies afterwards", async () => {
    const run = await scene.run(spot.runId);
    expect(run).toMatchObject({ status: "INITIALIZING", leg });
    expect(run.phases.slice(-2)).toMatchObject([
      { kind: "PREPARE", status: "PASSED" },
      { kind: "INIT", status: "RUNNING" },
    ]);
    expect(run.dialects).toBeDefined();
    expect((await spot.job.log("INIT", "Hook BEFORE_APPLY (1 of 1)")).status).toBe(200);
    await spot.job.message({ type: "prepared" });
    expect(await status()).toBe("APPLYING");
  });

  it("cannot be cancelled, but for an admin with force, and nothing was applied then", async () => {
    expect((await scene.send("cancelRun", { runId: spot.runId })).code).toBe("RUN_STATE_CONFLICT");
    expect((await scene.send("cancelRun", { runId: spot.runId, force: true })).run).toMatchObject({
      status: "STOPPED",
      forced: true,
    });
    expect(await scene.workspace(spot.workspaceId)).toMatchObject({ lock: null, currentRun: null });
  });

  it("is tried again where its runner is lost or drains", async () => {
    await spot.job.message({ type: "handedBack" });
    expect(await status()).toBe("CONFIRMED");
    const again = await scene.claim(spot.runId);
    await again.message({ type: "restored" });
    scene.server.advance(31_000);
    await loseExpiredLeases(scene.server.deps);
    expect(await status()).toBe("CONFIRMED");
    expect((await scene.workspace(spot.workspaceId)).lock).toBeNull();
  });

  it("fails with a hook, and leaves the workspace free", async () => {
    await spot.job.message({ type: "failed", failure: report("HOOK_FAILED") });
    expect(await scene.run(spot.runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "HOOK_FAILED" },
    });
    expect(await scene.workspace(spot.workspaceId)).toMatchObject({ lock: null, currentRun: null });
  });
});

describe("an apply that the workspace skips", () => {
  const SKIPPED = { status: "FINISHED", outcome: "APPLY_SKIPPED" };
  const skip = ({ workspaceId }: Spot) =>
    scene.send("setVariable", {
      workspaceId,
      key: "HOLDPOINT_SKIP_APPLYING",
      value: "true",
      category: "ENVIRONMENT",
    });

  it("ends before its hooks are performed", async () => {
    const spot = await scene.reach("PREPARING/APPLY", "DEPLOY", HOOKED);
    await skip(spot);
    expect((await spot.job.message({ type: "restored" })).body).toEqual({ goOn: false });
    expect(await scene.run(spot.runId)).toMatchObject(SKIPPED);
  });

  it("ends after its hooks where the variable was set while they were performed", async () => {
    const spot = await scene.reach("PREPARING/APPLY", "DEPLOY", HOOKED);
    await spot.job.message({ type: "restored" });
    await skip(spot);
    expect((await spot.job.message({ type: "prepared" })).body).toEqual({ goOn: false });
    expect(await scene.run(spot.runId)).toMatchObject(SKIPPED);
  });
});
