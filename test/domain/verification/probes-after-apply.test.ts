/** Runs whose result is probed, by the API, real rows and a clock that is set. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { ringAlarms } from "../../../src/domain/lease/ring-alarms.ts";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import { VERIFICATION_LIMITS } from "../../../src/model/workspace/verification-limits.ts";
import type { Data } from "../../support/api.ts";
import {
  conclude,
  readVerified,
  startVerificationWork,
  type ToldProber,
  type VerificationWork,
} from "../../support/verification-steps.ts";
import { report, type Scene } from "../scene.ts";
import { useVerificationScene } from "./verification-scene.ts";

const FAIL = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
const SECOND = 1000;
const HOUR = 3600 * SECOND;

let scene: Scene;
let prober: ToldProber;
let work: VerificationWork;
const current = useVerificationScene();
beforeEach(() => ({ scene, prober, work } = current()));

const probe = (more: object = {}): object => {
  return { name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/health", ...more };
};
const read = (runId: string): Promise<Data> => readVerified(scene.api, runId);

async function workspace(probes: object[], verificationSettings: object = {}): Promise<string> {
  const workspaceId = await scene.createWorkspace();
  await scene.quick("updateWorkspace", { workspaceId, probes, verificationSettings });
  return workspaceId;
}

/** Plans a run and approves it. */
async function confirmed(workspaceId: string, kind = "DEPLOY"): Promise<string> {
  const runId = await scene.createRun(workspaceId, { kind });
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  return runId;
}

async function applied(workspaceId: string, kind = "DEPLOY"): Promise<string> {
  const runId = await confirmed(workspaceId, kind);
  await work.step();
  await (await scene.claim(runId)).apply(0, "line");
  return runId;
}

/** Lets time pass and the server work at each interval. Returns the seconds until the run has ended. */
async function pass(runId: string, seconds: number): Promise<number> {
  for (let passed = 10; passed <= seconds; passed += 10) {
    scene.server.advance(10 * SECOND);
    await work.step();
    if ((await read(runId))["status"] !== "VERIFYING") return passed;
  }
  return seconds;
}

describe("a healthy service", () => {
  it("is verified within 35 s of the apply, after three passes in a row", async () => {
    const runId = await applied(await workspace([probe()]));
    const began = await read(runId);
    expect(began).toMatchObject({ status: "VERIFYING", verification: { status: "RUNNING", baselinePassed: true } });
    expect(await pass(runId, 300)).toBe(30);
    expect(await read(runId)).toMatchObject({
      status: "FINISHED",
      outcome: "APPLIED",
      verification: {
        status: "PASSED",
        probes: [{ name: "web", weight: "REQUIRED", passesInARow: 3, needed: 3, attempts: 3, lastFailure: null }],
      },
    });
  });

  it("has one baseline, however long its run waits", async () => {
    const runId = await confirmed(await workspace([probe()]));
    await work.step();
    expect(prober.asked.length).toBe(1);
    scene.server.advance(2 * HOUR);
    expect(await work.step()).toBe(1);
    expect(prober.asked.length).toBe(1);
    await scene.quick("discardRun", { runId });
  });

  it("has another baseline where its approval is taken back and given again", async () => {
    const runId = await confirmed(await workspace([probe()]));
    await work.step();
    expect((await read(runId))["verification"]).toMatchObject({ status: "PENDING" });
    const { run } = await scene.send("withdrawApproval", { runId, gate: "APPLY" });
    expect(run["status"]).toBe("AWAITING_APPLY_APPROVAL");
    expect((await read(runId))["verification"]).toBeNull();
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    await work.step();
    expect(prober.asked.length).toBe(2);
    await scene.quick("discardRun", { runId });
  });

  it("is no longer waited for where its probes are removed before the apply", async () => {
    const workspaceId = await workspace([probe()]);
    const runId = await confirmed(workspaceId);
    await work.step();
    await scene.quick("updateWorkspace", { workspaceId, probes: [] });
    await (await scene.claim(runId)).apply(0, "line");
    expect(await read(runId)).toMatchObject({ status: "FINISHED", verification: { status: "PENDING" } });
    scene.server.advance(HOUR);
    await work.step();
    expect((await read(runId))["verification"]).toMatchObject({
      status: "CANCELED",
      finishedAt: expect.any(String),
    });
  });

  it("is not probed before the delay", async () => {
    const runId = await applied(await workspace([probe()]));
    const before = prober.asked.length;
    scene.server.advance(9 * SECOND);
    expect(await work.step()).toBe(0);
    expect(prober.asked.length).toBe(before);
    await scene.quick("cancelRun", { runId });
  });
});

describe("a service that is red", () => {
  it("fails the run at the end of the window, with the last failures", async () => {
    const runId = await applied(await workspace([probe()], { windowSeconds: 60 }));
    prober.answer = () => FAIL;
    expect(await pass(runId, 300)).toBe(70);
    expect(await read(runId)).toMatchObject({
      status: "FAILED",
      failure: {
        code: "DEPLOYMENT_VERIFICATION_FAILED",
        stage: "ROLLOUT",
        category: "STARTUP_FAILURE",
        reason: "STARTUP",
        evidence: [`web (https://a.test/health): ${FAIL.reason}`],
      },
      verification: { status: "FAILED" },
    });
  });

  it("fails early by failFastAfter, and flaps do not pass", async () => {
    const runId = await applied(await workspace([probe()], { failFastAfter: 2 }));
    let turn = 0;
    prober.answer = () => (++turn % 2 === 0 ? FAIL : passedSample(1));
    await pass(runId, 100);
    expect((await read(runId))["status"]).toBe("VERIFYING");
    prober.answer = () => FAIL;
    expect(await pass(runId, 100)).toBeLessThanOrEqual(20);
    // It was up after the apply, so it did start.
    expect(await read(runId)).toMatchObject({
      status: "FAILED",
      failure: { stage: "VERIFY", category: "HEALTH_CHECK_FAILURE", reason: null },
    });
  });

  it("that was red before the apply is noted as that", async () => {
    prober.answer = () => FAIL;
    const runId = await applied(await workspace([probe()], { windowSeconds: 30 }));
    expect((await read(runId))["verification"].baselinePassed).toBe(false);
    await pass(runId, 60);
    expect((await read(runId))["failure"].message).toContain("did not pass before the apply either");
  });
});

describe("a verification without a result", () => {
  it.each([
    ["an output is missing", probe({ target: "https://{{outputs.nope}}/" }), /no output "nope"/],
    ["no runner probes", probe({ from: "RUNNERS" }), /never sent/],
  ])("where %s asks a person, and never fails by itself", async (_name, one, reason) => {
    const runId = await applied(await workspace([one], { windowSeconds: 30 }));
    await pass(runId, 60);
    expect(await read(runId)).toMatchObject({
      status: "VERIFYING",
      requiredAction: "JUDGE_VERIFICATION",
      verification: { status: "INCONCLUSIVE", reason: expect.stringMatching(reason) },
    });
    await conclude(scene.api, { runId, judgement: "GOOD", comment: "It works." });
    expect((await read(runId))["status"]).toBe("FINISHED");
  });

  it("fails after a day without a judgement", async () => {
    const runId = await applied(await workspace([probe({ from: "RUNNERS" })], { windowSeconds: 30 }));
    await pass(runId, 60);
    scene.server.advance(24 * 3600 * SECOND);
    await work.step();
    expect(await read(runId)).toMatchObject({
      status: "FAILED",
      verification: { status: "INCONCLUSIVE", reason: expect.stringContaining("No one judged it within 24 h") },
    });
  });
});

describe("a verification whose run ends before it", () => {
  const end = async (runId: string): Promise<Data> => (await read(runId))["verification"];

  it("fails where no server has verified the apply in time", async () => {
    const runId = await applied(await workspace([probe()]));
    scene.server.advance(VERIFICATION_LIMITS.totalMs);
    await ringAlarms(scene.server.deps, null);
    expect(await read(runId)).toMatchObject({ status: "FAILED", failure: { code: "DEPLOYMENT_VERIFICATION_FAILED" } });
    expect(await end(runId)).toMatchObject({ status: "FAILED", finishedAt: expect.any(String) });
  });

  it("is canceled where the apply fails", async () => {
    const runId = await confirmed(await workspace([probe()]));
    await (await scene.claim(runId)).message({ type: "failed", failure: report("APPLY_FAILED") });
    expect(await read(runId)).toMatchObject({ status: "FAILED", appliedAt: null });
    expect(await end(runId)).toMatchObject({ status: "CANCELED", finishedAt: expect.any(String) });
  });

  it("is skipped where the apply is", async () => {
    const workspaceId = await workspace([probe()]);
    const runId = await confirmed(workspaceId);
    const skip = { key: "HOLDPOINT_SKIP_APPLYING", value: "true", category: "ENVIRONMENT" };
    await scene.send("setVariable", { workspaceId, ...skip });
    await scene.claim(await scene.createRun(await scene.createWorkspace()));
    expect(await read(runId)).toMatchObject({ status: "FINISHED", outcome: "APPLY_SKIPPED" });
    expect(await end(runId)).toMatchObject({ status: "SKIPPED", finishedAt: expect.any(String) });
  });
});

describe("servers", () => {
  it("keep the window of one that died, and do not count its passes with later ones", async () => {
    const runId = await applied(await workspace([probe()], { windowSeconds: 120 }));
    await pass(runId, 20);
    const before = (await read(runId))["verification"];
    expect(before.probes).toMatchObject([{ passesInARow: 2 }]);
    // It had the row when it died: no server has it before the end of the lease.
    await scene.rows(
      "update verification set lease_id = 'dead', lease_until = $2, fence = fence + 1, due_at = now() - interval '100 years' where run_id = $1",
      runId,
      new Date(scene.server.deps.clock().getTime() + 30 * SECOND).toISOString(),
    );
    expect(await work.step()).toBe(0);
    scene.server.advance(40 * SECOND);
    expect(await work.step()).toBe(1);
    const after = (await read(runId))["verification"];
    expect(after.endsBy).toBe(before.endsBy);
    expect(after.probes).toMatchObject([{ passesInARow: 1, attempts: 3 }]);
  });

  it("write nothing under an older lease", async () => {
    const runId = await applied(await workspace([probe()]));
    scene.server.advance(10 * SECOND);
    prober.answer = async () => {
      await scene.rows("update verification set fence = fence + 1 where run_id = $1", runId);
      return passedSample(1);
    };
    await work.step();
    expect((await read(runId))["verification"].probes).toMatchObject([{ attempts: 0 }]);
  });

  it("probe each verification once, however many they are", async () => {
    const other = startVerificationWork(scene.server.deps, prober);
    const runId = await applied(await workspace([probe()]));
    const before = prober.asked.length;
    scene.server.advance(10 * SECOND);
    const taken = await Promise.all([work.step(), other.step()]);
    expect(taken.toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(prober.asked.length).toBe(before + 1);
    await other[Symbol.asyncDispose]();
    await scene.quick("cancelRun", { runId });
  });
});

it("informational probes are shown, and decide nothing", async () => {
  prober.answer = (request) =>
    "urls" in request && request.urls[0]?.includes("info") === true ? FAIL : passedSample(1);
  const shown = probe({ name: "info", target: "https://info.test/x", weight: "INFORMATIONAL" });
  const runId = await applied(await workspace([probe(), shown]));
  expect(await pass(runId, 100)).toBe(30);
  expect((await read(runId))["verification"].probes).toMatchObject([
    { name: "web", passesInARow: 3 },
    { name: "info", weight: "INFORMATIONAL", passesInARow: 0, lastFailure: FAIL.reason },
  ]);
});

describe("a DESTROY", () => {
  it("is not verified by itself", async () => {
    const runId = await applied(await workspace([probe()]), "DESTROY");
    expect(await read(runId)).toMatchObject({ status: "FINISHED", outcome: "DESTROYED", verification: null });
  });

  it("may expect that the targets are gone", async () => {
    const workspaceId = await workspace([probe()], { afterDestroy: "EXPECT_GONE", windowSeconds: 60 });
    const runId = await applied(workspaceId, "DESTROY");
    prober.answer = () => failedSample("CONNECT", "The connection was refused.");
    await pass(runId, 100);
    expect(await read(runId)).toMatchObject({ status: "FINISHED", outcome: "DESTROYED" });
    const still = await applied(workspaceId, "DESTROY");
    prober.answer = () => passedSample(1);
    await pass(still, 100);
    expect(await read(still)).toMatchObject({
      status: "FAILED",
      verification: { status: "FAILED", probes: [{ lastFailure: "The target still answers." }] },
    });
  });
});

it("a real server on loopback is probed over the network", async () => {
  let status = 500;
  const server = createServer((_request, response) => response.writeHead(status).end("body"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const real = startVerificationWork(scene.server.deps, scene.server.deps.prober);
  const settings = { initialDelaySeconds: 0, successesInARow: 1, windowSeconds: 30 };
  const target = `http://127.0.0.1:${port}/`;
  const runId = await confirmed(await workspace([probe({ target })], settings));
  await (await scene.claim(runId)).apply(0, "line");
  await real.step();
  expect((await read(runId))["verification"].probes).toMatchObject([{ lastFailure: expect.stringContaining("500") }]);
  status = 200;
  scene.server.advance(10 * SECOND);
  await real.step();
  expect((await read(runId))["status"]).toBe("FINISHED");
  await real[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
