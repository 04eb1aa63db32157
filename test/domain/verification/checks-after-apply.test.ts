/** Runs that wait for external checks after their apply, by the API, real rows and a service of the protocol. */
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CheckWork, createCheck, resultsOf, startCheckWork } from "../../support/check-steps.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../../support/run-task-service.ts";
import {
  conclude,
  readVerified,
  startVerificationWork,
  toldProber,
  type VerificationWork,
} from "../../support/verification-steps.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let service: RunTaskService;
let work: CheckWork;
let verifications: VerificationWork;
let name: string;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
  verifications = startVerificationWork(scene.server.deps, toldProber());
  name = `verified-${++count}`;
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await verifications[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const check = (level: string, more: object = {}): Promise<string> =>
  createCheck(scene.api, service, { stages: ["POST_APPLY"], level, selector: { names: [name] }, ...more });
const read = (runId: string) => readVerified(scene.api, runId);

/** Applies a run in a workspace of this test. */
async function applied(settings: object = {}): Promise<string> {
  const workspaceId = await scene.createWorkspace({ name });
  if (Object.keys(settings).length > 0) {
    await scene.quick("updateWorkspace", { workspaceId, verificationSettings: settings });
  }
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await (await scene.claim(runId)).apply(0, "line");
  return runId;
}

async function answer(status: "passed" | "failed", message = "done"): Promise<void> {
  const from = service.requests.length;
  await work.step();
  for (const request of service.requests.slice(from)) {
    expect(await sendReport(scene.server.url, request, report(status, { message }))).toEqual({
      status: 200,
      errors: [],
    });
  }
}

describe("a check of POST_APPLY at the level MANDATORY", () => {
  it("holds the run, without a runner, until it has passed", async () => {
    await check("MANDATORY");
    const runId = await applied();
    const held = await read(runId);
    expect(held).toMatchObject({
      status: "VERIFYING",
      outcome: null,
      requiredAction: "WAIT",
      verification: { status: "RUNNING", finishedAt: null, probes: [] },
      workspace: { deploymentStatus: "DEPLOYING", currentRun: { id: runId } },
    });
    expect(held["appliedAt"]).not.toBeNull();
    const live = await scene.rows("select 1 from job where run_id = $1 and ended_at is null", runId);
    expect(live).toEqual([]);
    await verifications.step();
    expect((await read(runId))["status"]).toBe("VERIFYING");
    await answer("passed");
    // The report has made it due.
    expect(await verifications.step()).toBe(1);
    expect(await read(runId)).toMatchObject({
      status: "FINISHED",
      outcome: "APPLIED",
      verification: { status: "PASSED" },
      workspace: { deploymentStatus: "RUNNING", currentRun: null },
    });
    expect((await read(runId))["phases"].at(-1)).toEqual({ kind: "VERIFY", status: "PASSED" });
  });

  it("fails the run, whose infrastructure has changed", async () => {
    await check("MANDATORY");
    const runId = await applied();
    await answer("failed", "2 of 9 pages are red");
    await verifications.step();
    const failed = await read(runId);
    expect(failed).toMatchObject({
      status: "FAILED",
      failure: { code: "DEPLOYMENT_VERIFICATION_FAILED", stage: "VERIFY", category: "HEALTH_CHECK_FAILURE" },
      verification: { status: "FAILED", reason: expect.stringContaining("2 of 9 pages are red") },
      workspace: { deploymentStatus: "FAILED" },
    });
    expect(failed["failure"].message).toContain("The apply itself succeeded.");
  });

  it("leaves the only place in the organization to another run", async () => {
    await check("MANDATORY");
    const limit = (concurrencyLimit: number) =>
      scene.quick("updateOrganization", { organizationId: DEFAULT_ORGANIZATION_ID, concurrencyLimit });
    const offered = async (runId: string) =>
      (await scene.rows("select offered from dispatch where run_id = $1", runId))[0];
    await limit(1);
    const held = await applied();
    expect((await read(held))["status"]).toBe("VERIFYING");
    const [second, third] = [await scene.createWorkspace(), await scene.createWorkspace()];
    const running = await scene.createRun(second);
    const job = await scene.claim(running);
    // The limit is in force: what works has the place, and the next run has none.
    expect(await offered(await scene.createRun(third))).toEqual({ offered: false });
    await job.plan();
    await limit(1000);
  });
});

describe("a check at the level SOFT_MANDATORY", () => {
  it("asks for the judgement of a person", async () => {
    await check("SOFT_MANDATORY");
    const runId = await applied();
    await answer("failed", "slow");
    await verifications.step();
    expect(await read(runId)).toMatchObject({
      status: "VERIFYING",
      requiredAction: "JUDGE_VERIFICATION",
      verification: { status: "INCONCLUSIVE", finishedAt: null, reason: expect.stringContaining("slow") },
    });
    expect(await conclude(scene.api, { runId, judgement: "GOOD", comment: " " })).toMatchObject({
      issues: [{ path: ["comment"], message: "must explain the judgement." }],
    });
    const done = await conclude(scene.api, { runId, judgement: "GOOD", comment: "It was the cache." });
    expect(done).toMatchObject({ run: { status: "FINISHED", outcome: "APPLIED" } });
    expect(await read(runId)).toMatchObject({
      reason: "It was the cache.",
      verification: { status: "PASSED", comment: "It was the cache.", concludedBy: { id: expect.any(String) } },
    });
  });

  it("passes or fails by the settings instead", async () => {
    await check("SOFT_MANDATORY");
    const runId = await applied({ onInconclusive: "PASS" });
    await answer("failed");
    await verifications.step();
    expect(await read(runId)).toMatchObject({ status: "FINISHED", verification: { status: "INCONCLUSIVE" } });
    name = `verified-${++count}`;
    await check("SOFT_MANDATORY");
    const other = await applied({ onInconclusive: "FAIL" });
    await answer("failed");
    await verifications.step();
    expect(await read(other)).toMatchObject({
      status: "FAILED",
      failure: { code: "DEPLOYMENT_VERIFICATION_FAILED", summary: "Nothing is known about the result of the apply." },
      verification: { status: "INCONCLUSIVE" },
    });
  });
});

it("a check that only advises holds nothing", async () => {
  await check("ADVISORY");
  const runId = await applied();
  expect(await read(runId)).toMatchObject({ status: "FINISHED", verification: null });
  await answer("failed", "drifted");
  expect(await resultsOf(scene.api, runId)).toMatchObject([{ stage: "POST_APPLY", status: "FAILED" }]);
});

describe("a person", () => {
  it("judges the result as bad before the check has ended", async () => {
    await check("MANDATORY");
    const runId = await applied();
    const done = await conclude(scene.api, { runId, judgement: "BAD", comment: "The shop is empty." });
    expect(done).toMatchObject({ run: { status: "FAILED" } });
    expect(await read(runId)).toMatchObject({
      failure: { code: "DEPLOYMENT_VERIFICATION_FAILED", summary: "A person judged the result of the apply as bad." },
      verification: { status: "FAILED", comment: "The shop is empty." },
    });
    const late = await conclude(scene.api, { runId, judgement: "GOOD", comment: "No." });
    expect(late).toMatchObject({ code: "RUN_STATE_CONFLICT", message: expect.stringContaining("must be VERIFYING") });
  });

  it("stops the verification at once; what was applied runs", async () => {
    await check("MANDATORY");
    const runId = await applied();
    await scene.quick("cancelRun", { runId });
    expect(await read(runId)).toMatchObject({
      status: "STOPPED",
      verification: { status: "CANCELED" },
      workspace: { deploymentStatus: "RUNNING", currentRun: null },
    });
    expect(await verifications.step()).toBe(0);
  });
});

it("a run without probes and checks is not verified", async () => {
  const runId = await applied();
  expect(await read(runId)).toMatchObject({ status: "FINISHED", verification: null });
});

it("a run that is discarded after its approval has no verification under way", async () => {
  await check("MANDATORY");
  const runId = await scene.createRun(await scene.createWorkspace({ name }));
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  expect(await read(runId)).toMatchObject({ status: "CONFIRMED", verification: { status: "PENDING" } });
  await scene.quick("discardRun", { runId, planVersion: 1 });
  expect(await read(runId)).toMatchObject({ status: "DISCARDED", verification: null });
});

describe("the settings of a workspace", () => {
  const update = async (input: object) => {
    const workspaceId = await scene.createWorkspace({ name: `settings-${++count}` });
    return scene.send("updateWorkspace", { workspaceId, ...input });
  };

  it.each(
    walk(
      [
        [
          { verificationSettings: { windowSeconds: 30, intervalSeconds: 20 } },
          ["verificationSettings", "windowSeconds"],
        ],
        [{ verificationSettings: { intervalSeconds: 0 } }, ["verificationSettings", "intervalSeconds"]],
        [{ verificationSettings: null }, ["verificationSettings"]],
        [{ verificationSettings: { onInconclusive: null } }, ["verificationSettings", "onInconclusive"]],
        [{ rollbackSettings: { mode: "AUTO_SAFE" } }, ["rollbackSettings", "mode"]],
        [{ rollbackSettings: { guards: [{ type: "OUTPUT", name: "" }] } }, ["rollbackSettings", "guards", "0", "name"]],
      ],
      2,
    ),
  )("%j is refused by the name of its field", async (input, path) => {
    expect(await update(input)).toMatchObject({ __typename: "InvalidInputError", issues: [{ path }] });
  });

  it("are merged, and shown", async () => {
    const workspaceId = await scene.createWorkspace({ name: `settings-${++count}` });
    const verificationSettings = { windowSeconds: 600, failFastAfter: 5 };
    await scene.quick("updateWorkspace", { workspaceId, verificationSettings });
    const rollbackSettings = { mode: "PROPOSE", guards: [{ type: "OUTPUT", name: "schema_version" }] };
    await scene.quick("updateWorkspace", {
      workspaceId,
      verificationSettings: { failFastAfter: null },
      rollbackSettings,
    });
    const query = `query ($id: ID!) { workspace(by: { id: $id }) {
      verificationSettings { windowSeconds intervalSeconds failFastAfter onInconclusive afterDestroy }
      rollbackSettings { mode guards { type name } } } }`;
    expect((await scene.api.ask(query, { id: workspaceId })).workspace).toEqual({
      verificationSettings: {
        windowSeconds: 600,
        intervalSeconds: 10,
        failFastAfter: null,
        onInconclusive: "ASK",
        afterDestroy: "NONE",
      },
      rollbackSettings,
    });
  });
});
