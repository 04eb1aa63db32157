/** Workspaces with AUTO_SAFE where something holds a rollback back: by the API, real rows and a clock that is set. */
import { beforeEach, describe, expect, it } from "vitest";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import { attach, judgeAll, planWithDocument } from "../../support/judged-runs.ts";
import { type ToldProber, type VerificationWork } from "../../support/verification-steps.ts";
import { walk } from "../../support/walk.ts";
import type { Scene } from "../scene.ts";
import { useVerificationScene } from "./verification-scene.ts";

const FAIL = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
const INTERVAL_MS = 10_000;

let scene: Scene;
let prober: ToldProber;
let work: VerificationWork;
let workspaceId: string;
const current = useVerificationScene();
beforeEach(async () => {
  ({ scene, prober, work } = current());
  workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED" });
  await scene.quick("updateWorkspace", {
    workspaceId,
    probes: [{ name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/" }],
    verificationSettings: { successesInARow: 1, failFastAfter: 1, afterDestroy: "EXPECT_GONE" },
    rollbackSettings: { mode: "AUTO_SAFE" },
  });
});

const statusOf = async (runId: string): Promise<string> => String((await scene.run(runId, "status"))["status"]);

/** Applies a run, whose probes answer before the apply with the first sample. */
async function applied(kind = "DEPLOY"): Promise<string> {
  const runId = await scene.createRun(workspaceId, { kind });
  await (await scene.claim(runId)).plan();
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
  await work.step();
  await (await scene.claim(runId)).apply(0, "line");
  expect(await statusOf(runId)).toBe("VERIFYING");
  return runId;
}

/** Probes a run until its result is known, which is this one. */
async function verified(runId: string, isGood: boolean): Promise<string> {
  prober.answer = () => (isGood ? passedSample(1) : FAIL);
  while ((await statusOf(runId)) === "VERIFYING") {
    scene.server.advance(INTERVAL_MS);
    await work.step();
  }
  expect(await statusOf(runId)).toBe(isGood ? "FINISHED" : "FAILED");
  return runId;
}

/** The runs that go back from this one, and from those. */
async function rollbacks(): Promise<string[]> {
  await work.step();
  await work.step();
  const text = `select id from run where workspace_id = $1 and "trigger" = 'ROLLBACK' order by number`;
  return (await scene.rows(text, workspaceId)).map(({ id }) => id);
}

const update = (input: object): Promise<string> => scene.quick("updateWorkspace", { workspaceId, ...input });
function openWindow(): object {
  const at = scene.server.deps.clock();
  return { name: "now", cron: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`, durationMinutes: 600 };
}
const HOLDS: [string, () => Promise<string>][] = [
  ["locked", () => scene.quick("lockWorkspace", { workspaceId })],
  ["paused", () => update({ paused: true })],
  ["frozen", () => update({ freezeWindows: [openWindow()] })],
];

it("applies its plan where nothing does", async () => {
  await verified(await applied(), true);
  await verified(await applied(), false);
  const [back = "", ...others] = await rollbacks();
  expect(others).toEqual([]);
  await (await scene.claim(back)).plan();
  expect(await statusOf(back)).toBe("APPLYING");
});

describe.each(walk(HOLDS, 1))("a workspace that is %s", (_name, hold) => {
  it("while its run is verified has no rollback", async () => {
    await verified(await applied(), true);
    const runId = await applied();
    await hold();
    await verified(runId, false);
    expect(await rollbacks()).toEqual([]);
  });

  it("before the run to go back is created has none", async () => {
    await verified(await applied(), true);
    await verified(await applied(), false);
    await hold();
    expect(await rollbacks()).toEqual([]);
  });

  it("while that run is planned applies nothing by itself", async () => {
    await verified(await applied(), true);
    await verified(await applied(), false);
    const [back = ""] = await rollbacks();
    const job = await scene.claim(back);
    await hold();
    await job.plan();
    expect(await statusOf(back)).toBe("AWAITING_APPLY_APPROVAL");
  });
});

it("has no rollback where the probes failed before the apply", async () => {
  await verified(await applied(), true);
  prober.answer = () => FAIL;
  await verified(await applied(), false);
  expect(await rollbacks()).toEqual([]);
});

it("has no rollback after a destroy whose targets still answer, nor to what was before one", async () => {
  await verified(await applied(), true);
  // Of a destroy, a target that answers is the failure.
  const destroy = await applied("DESTROY");
  while ((await statusOf(destroy)) === "VERIFYING") {
    scene.server.advance(INTERVAL_MS);
    await work.step();
  }
  expect(await scene.run(destroy, "status", "failure")).toMatchObject({
    status: "FAILED",
    failure: { code: "DEPLOYMENT_VERIFICATION_FAILED" },
  });
  expect(await rollbacks()).toEqual([]);
});

it("waits for a person where a policy warns about its plan", async () => {
  await verified(await applied(), true);
  await verified(await applied(), false);
  await attach(scene, workspaceId, [{ name: "costs", level: "ADVISORY", stopsAutoApply: true }]);
  const [back = ""] = await rollbacks();
  await planWithDocument(await scene.claim(back));
  await judgeAll(scene);
  expect(await scene.run(back, "status", "requiredAction")).toEqual({
    status: "AWAITING_APPLY_APPROVAL",
    requiredAction: "CONFIRM_APPLY",
  });
});
