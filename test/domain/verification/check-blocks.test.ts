/** Check blocks of plans and applies as people see them, and verifications that ask for them. */
import { beforeEach, describe, expect, it } from "vitest";
import type { CheckBlock, FoundCheckBlocks } from "../../../src/model/plan/check-block.ts";
import type { Data } from "../../support/api.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import { readVerified, type VerificationWork } from "../../support/verification-steps.ts";
import type { Scene } from "../scene.ts";
import { useVerificationScene } from "./verification-scene.ts";

const SECOND = 1000;

let scene: Scene;
let work: VerificationWork;
const current = useVerificationScene();
beforeEach(() => ({ scene, work } = current()));

const PASSED: CheckBlock = { address: "check.answers", status: "PASSED", problems: [] };
const FAILED: CheckBlock = { address: "check.answers", status: "FAILED", problems: ["It answers 500."] };
const UNKNOWN: CheckBlock = { address: "check.later", status: "UNKNOWN", problems: [] };
const found = (...blocks: CheckBlock[]): FoundCheckBlocks => {
  return { blocks, count: blocks.length, failedCount: blocks.filter(({ status }) => status === "FAILED").length };
};

const REPORT = "checks { afterApply count failedCount blocks { address status problems } }";

async function read(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status warnings ${REPORT} workspace { ${REPORT} } } }`;
  return (await scene.api.ask(query, { id: runId })).run;
}

async function planned(workspaceId: string, checks?: FoundCheckBlocks, input: object = {}): Promise<string> {
  const runId = await scene.createRun(workspaceId, input);
  await (await scene.claim(runId)).plan(checks === undefined ? {} : { checks });
  return runId;
}

async function apply(runId: string, checks?: FoundCheckBlocks): Promise<FakeJob> {
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await work.step();
  const job = await scene.claim(runId);
  await job.message({ type: "prepared" });
  const answer = await job.message({ type: "applied", appliedAddresses: [], ...(checks && { checks }) });
  expect(answer.status).toBe(200);
  return job;
}

describe("a run", () => {
  it("shows those of its plan with a warning, then those after its apply", async () => {
    const workspaceId = await scene.createWorkspace();
    const runId = await planned(workspaceId, found(FAILED, UNKNOWN));
    const atGate = await read(runId);
    expect(atGate.checks).toEqual({ afterApply: false, count: 2, failedCount: 1, blocks: [FAILED, UNKNOWN] });
    expect(atGate.warnings).toEqual(["Check blocks do not pass in this plan. check.answers fails: It answers 500."]);
    expect(atGate.workspace.checks).toBeNull();
    await apply(runId, found(PASSED));
    const ended = await read(runId);
    expect(ended).toMatchObject({ status: "FINISHED", warnings: [] });
    expect(ended.checks).toMatchObject({ afterApply: true, blocks: [PASSED] });
    expect(ended.workspace.checks).toEqual(ended.checks);
  });

  it("has no warning for what is not known yet, nor without check blocks", async () => {
    const workspaceId = await scene.createWorkspace();
    expect(await read(await planned(workspaceId, found(UNKNOWN), { kind: "PLAN" }))).toMatchObject({ warnings: [] });
    expect(await read(await planned(workspaceId, undefined, { kind: "PLAN" }))).toMatchObject({ checks: null });
  });

  it("forgets those of an earlier plan, and a workspace those of an earlier apply", async () => {
    const workspaceId = await scene.createWorkspace();
    await apply(await planned(workspaceId, found(PASSED)), found(PASSED));
    const runId = await planned(workspaceId, found(FAILED));
    await scene.quick("replanRun", { runId, planVersion: 1 });
    await (await scene.claim(runId)).plan();
    expect(await read(runId)).toMatchObject({ checks: null, warnings: [], workspace: { checks: { count: 1 } } });
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 2 });
    const job = await scene.claim(runId);
    await job.message({ type: "prepared" });
    await job.message({ type: "applied", appliedAddresses: [] });
    expect((await read(runId)).workspace.checks).toBeNull();
  });

  it("of kind APPLY shows those of the plan that it applies", async () => {
    const workspaceId = await scene.createWorkspace();
    const planRunId = await scene.plan(workspaceId, {}, { checks: found(FAILED) });
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    expect(await read(runId)).toMatchObject({ checks: { afterApply: false, failedCount: 1 } });
  });
});

describe("a verification", () => {
  const probe = { name: "checks", kind: "CHECKS", use: "VERIFY", from: "SERVER", target: "" };

  async function applied(probes: object[], checks?: FoundCheckBlocks): Promise<string> {
    const workspaceId = await scene.createWorkspace();
    const verificationSettings = { initialDelaySeconds: 10, intervalSeconds: 10, windowSeconds: 30 };
    await scene.quick("updateWorkspace", { workspaceId, probes, verificationSettings });
    const runId = await planned(workspaceId, checks);
    await apply(runId, checks);
    return runId;
  }

  async function afterRound(runId: string): Promise<Data> {
    scene.server.advance(10 * SECOND);
    await work.step();
    return readVerified(scene.api, runId);
  }

  it("passes in its first round: the state does not change any more", async () => {
    expect(await afterRound(await applied([probe], found(PASSED)))).toMatchObject({
      status: "FINISHED",
      verification: { status: "PASSED" },
    });
  });

  it("fails in its first round where a check block fails", async () => {
    expect(await afterRound(await applied([probe], found(FAILED)))).toMatchObject({
      status: "FAILED",
      failure: {
        code: "DEPLOYMENT_VERIFICATION_FAILED",
        stage: "VERIFY",
        category: "HEALTH_CHECK_FAILURE",
        reason: "CONDITION",
        evidence: ["checks: check.answers fails: It answers 500."],
      },
    });
  });

  it("has no result where a check block has none, or there are none", async () => {
    for (const checks of [found(UNKNOWN), undefined]) {
      const runId = await applied([probe], checks);
      for (let round = 0; round < 5; round++) await afterRound(runId);
      expect(await readVerified(scene.api, runId)).toMatchObject({
        status: "VERIFYING",
        requiredAction: "JUDGE_VERIFICATION",
        verification: { status: "INCONCLUSIVE" },
      });
    }
  });

  it("shows them without a probe for them, and does not fail for that", async () => {
    const web = { name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/health" };
    const runId = await applied([web], found(FAILED));
    const { verification } = await afterRound(runId);
    expect(verification.probes).toMatchObject([
      { name: "web", weight: "REQUIRED" },
      { name: "check blocks", weight: "INFORMATIONAL", lastFailure: "check.answers fails: It answers 500." },
    ]);
    await afterRound(runId);
    expect(await afterRound(runId)).toMatchObject({ status: "FINISHED", verification: { status: "PASSED" } });
  });

  it("knows from the last apply whether they passed before", async () => {
    const workspaceId = await scene.createWorkspace();
    await apply(await planned(workspaceId, found(FAILED)), found(FAILED));
    await scene.quick("updateWorkspace", { workspaceId, probes: [probe] });
    const runId = await planned(workspaceId, found(FAILED));
    await apply(runId, found(FAILED));
    expect(await readVerified(scene.api, runId)).toMatchObject({ verification: { baselinePassed: false } });
  });

  it("does not ask for them after a destroy", async () => {
    const web = { name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/health" };
    const workspaceId = await scene.createWorkspace();
    const verificationSettings = { afterDestroy: "EXPECT_GONE" };
    await scene.quick("updateWorkspace", { workspaceId, probes: [web, probe], verificationSettings });
    const runId = await planned(workspaceId, undefined, { kind: "DESTROY" });
    await apply(runId);
    const { verification } = await afterRound(runId);
    expect(verification.probes.map(({ name }: Data) => name)).toEqual(["web"]);
  });
});

describe("a runner", () => {
  it.each([
    [{ blocks: [], count: 0, failedCount: 0 }, "checks.blocks"],
    [{ blocks: [PASSED], count: 0, failedCount: 0 }, "checks"],
    [{ blocks: [{ ...PASSED, status: "FINE" }], count: 1, failedCount: 0 }, "checks.blocks.0.status"],
    [{ blocks: [{ ...PASSED, address: "a".repeat(1001) }], count: 1, failedCount: 0 }, "checks.blocks.0.address"],
    [{ blocks: Array(501).fill(PASSED), count: 501, failedCount: 0 }, "checks.blocks"],
  ])("is refused for %#: %s", async (checks, path) => {
    const runId = await scene.createRun(await scene.createWorkspace());
    const job = await scene.claim(runId);
    const answer = await job.message({ type: "applied", appliedAddresses: [], checks: checks as FoundCheckBlocks });
    expect(answer).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    expect(answer.body.message).toContain(path);
  });
});
