/** Probes that name external checks, and the webhooks of verifications and rollbacks, with real services over HTTP. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import type { Data } from "../../support/api.ts";
import { type CheckWork, createCheck, startCheckWork } from "../../support/check-steps.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../../support/run-task-service.ts";
import {
  readVerified,
  startVerificationWork,
  type ToldProber,
  toldProber,
  type VerificationWork,
} from "../../support/verification-steps.ts";
import { type Deliverer, isSigned, sendWebhookCommand, startDeliverer } from "../../support/webhook-steps.ts";
import { startWebhookTarget, type WebhookTarget } from "../../support/webhook-target.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let service: RunTaskService;
let checks: CheckWork;
let prober: ToldProber;
let verifications: VerificationWork;
let name: string;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true, webhooks: true });
});
beforeEach(async () => {
  service = await startRunTaskService();
  checks = startCheckWork(scene.server.deps);
  prober = toldProber();
  verifications = startVerificationWork(scene.server.deps, prober);
  name = `smoke ${++count}`;
});
afterEach(async () => {
  await checks[Symbol.asyncDispose]();
  await verifications[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await scene.rows("update verification set due_at = null where due_at is not null");
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const settings = { initialDelaySeconds: 0, intervalSeconds: 10, windowSeconds: 40, successesInARow: 2 };
const external = (more: object = {}): object => ({
  name: "smoke",
  kind: "EXTERNAL",
  use: "VERIFY",
  target: name,
  ...more,
});

async function workspace(probes: object[], more: object = {}): Promise<string> {
  const workspaceId = await scene.createWorkspace({ name: `w${count}`, planApproval: "WHEN_REQUIRED" });
  await scene.quick("updateWorkspace", { workspaceId, probes, verificationSettings: settings, ...more });
  return workspaceId;
}

async function applied(workspaceId: string): Promise<string> {
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
  await verifications.step();
  await (await scene.claim(runId)).apply(0, "line");
  return runId;
}

const read = (runId: string): Promise<Data> => readVerified(scene.api, runId);

/** Lets the service answer what it was asked. */
async function answer(status: "passed" | "failed", message = "Fine."): Promise<void> {
  await checks.step();
  for (const request of service.requests) {
    expect(await sendReport(scene.server.url, request, report(status, { message }))).toEqual({
      status: 200,
      errors: [],
    });
  }
}

async function rounds(number: number): Promise<void> {
  for (let round = 0; round < number; round++) {
    await verifications.step();
    scene.server.advance(10_000);
  }
}

describe("a probe of an external check", () => {
  // An advisory check decides nothing by itself: the probe makes it count.
  const check = () => createCheck(scene.api, service, { name, stages: ["POST_APPLY"], level: "ADVISORY" });

  it("passes with the check", async () => {
    await check();
    const runId = await applied(await workspace([external()]));
    await answer("passed");
    await rounds(2);
    expect(await read(runId)).toMatchObject({
      status: "FINISHED",
      verification: { status: "PASSED", probes: [{ name: "smoke", passesInARow: 2, resolvedTarget: name }] },
    });
    expect(prober.asked).toEqual([]);
  });

  it("fails with the check, at the end of the window", async () => {
    await check();
    const runId = await applied(await workspace([external()]));
    await answer("failed", "Two pages are empty.");
    await rounds(6);
    expect(await read(runId)).toMatchObject({
      status: "FAILED",
      failure: { code: "DEPLOYMENT_VERIFICATION_FAILED", evidence: [`smoke (${name}): Two pages are empty.`] },
    });
  });

  it("is not known while the check has not ended", async () => {
    await check();
    const runId = await applied(await workspace([external()]));
    await checks.step();
    await rounds(6);
    expect(await read(runId)).toMatchObject({
      status: "VERIFYING",
      verification: { status: "INCONCLUSIVE", reason: expect.stringContaining("smoke was never sent") },
    });
  });

  it("is not known where there is no such check", async () => {
    const runId = await applied(await workspace([external()]));
    await rounds(6);
    expect(await read(runId)).toMatchObject({
      verification: {
        status: "INCONCLUSIVE",
        reason: `Nothing is known about the probe smoke. There is no result of a check "${name}" of POST_APPLY.`,
      },
    });
  });
});

describe("a receiver of webhooks", () => {
  let target: WebhookTarget;
  let deliverer: Deliverer;
  let secret: string;
  beforeEach(async () => {
    target = await startWebhookTarget();
    deliverer = startDeliverer(scene.server);
    const events = ["RUN_VERIFICATION_FAILED", "RUN_ROLLBACK_PROPOSED"];
    const input = { organizationId: DEFAULT_ORGANIZATION_ID, url: `${target.url}/hook`, events };
    ({ secret } = await sendWebhookCommand(scene.api, "createWebhook", input));
  });
  afterEach(async () => {
    await deliverer[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
    await scene.rows("update webhook set deleted_at = now() where deleted_at is null");
  });

  const web = (more: object = {}): object => {
    return {
      name: "web",
      kind: "HTTP",
      use: "VERIFY",
      from: "SERVER",
      target: "https://a.test/x?token=needle",
      ...more,
    };
  };

  it("gets a failed verification and the rollback that is proposed, signed and without addresses", async () => {
    const workspaceId = await workspace([web()], { rollbackSettings: { mode: "PROPOSE" } });
    const good = await applied(workspaceId);
    await rounds(2);
    expect((await read(good))["status"]).toBe("FINISHED");
    const failed = await applied(workspaceId);
    prober.answer = () => failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
    await rounds(6);

    const first = await target.next();
    expect(first.message).toMatchObject({
      type: "run.verification.failed",
      data: {
        run: { id: failed },
        verification: {
          status: "FAILED",
          baselinePassed: true,
          reason: expect.stringContaining("The probe web does not pass. It answered with status 500"),
          probes: [{ name: "web", weight: "REQUIRED", passesInARow: 0 }],
        },
      },
    });
    const second = await target.next();
    expect(second.message).toMatchObject({
      type: "run.rollback.proposed",
      data: { run: { number: 3 }, rollback: { mode: "PROPOSE", from: { id: failed }, to: { id: good }, risks: [] } },
    });
    for (const received of [first, second]) {
      expect(isSigned(received, secret)).toBe(true);
      expect(received.body).not.toContain("needle");
    }
  });

  it("gets a verification that waits for a person, and none that passes", async () => {
    const passed = await applied(await workspace([web()]));
    prober.answer = () => passedSample(1);
    await rounds(2);
    expect((await read(passed))["status"]).toBe("FINISHED");
    count += 1;
    const runId = await applied(await workspace([web({ from: "RUNNERS" })]));
    await rounds(6);
    const { message } = await target.next();
    expect(message).toMatchObject({
      type: "run.verification.failed",
      data: { run: { id: runId }, verification: { status: "INCONCLUSIVE" } },
    });
    expect(message.data["verification"].reason).toContain("HOLDPOINT_RUNNER_PROBES");
    expect(target.received).toHaveLength(1);
  });
});
