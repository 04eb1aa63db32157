/** Required probes that are changed while they verify an apply: no change makes a red result pass. */
import { beforeEach, describe, expect, it } from "vitest";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import type { Data } from "../../support/api.ts";
import { conclude, readVerified, type ToldProber, type VerificationWork } from "../../support/verification-steps.ts";
import { walk } from "../../support/walk.ts";
import type { Scene } from "../scene.ts";
import { useVerificationScene } from "./verification-scene.ts";

const FAIL = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
const SECOND = 1000;

let scene: Scene;
let prober: ToldProber;
let work: VerificationWork;
const current = useVerificationScene();
beforeEach(() => ({ scene, prober, work } = current()));

const probe = (more: object = {}): object => {
  return { name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/health", ...more };
};
const header = (value: string): object => probe({ headers: [{ name: "X-Release", value }] });
const info = probe({ name: "info", weight: "INFORMATIONAL", target: "https://a.test/info" });
const setProbes = (workspaceId: string, probes: object[]) => scene.quick("updateWorkspace", { workspaceId, probes });
const read = (runId: string): Promise<Data> => readVerified(scene.api, runId);

/** Applies a run whose first round was red. */
async function red(probes: object[], settings: object = {}): Promise<{ workspaceId: string; runId: string }> {
  const workspaceId = await scene.createWorkspace();
  const verificationSettings = { successesInARow: 1, ...settings };
  await scene.quick("updateWorkspace", { workspaceId, probes, verificationSettings });
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await work.step();
  await (await scene.claim(runId)).apply(0, "line");
  prober.answer = () => FAIL;
  await round();
  expect((await read(runId))["verification"]).toMatchObject({ status: "RUNNING" });
  return { workspaceId, runId };
}

async function round(): Promise<void> {
  scene.server.advance(10 * SECOND);
  await work.step();
}

describe("a red verification whose required probe", () => {
  it.each<[string, object[], object[], string]>(
    walk(
      [
        ["is removed", [probe()], [], "was removed"],
        ["is removed beside a green one", [probe(), probe({ name: "b" })], [probe({ name: "b" })], "was removed"],
        ["gets another name", [probe()], [probe({ name: "site" })], "was removed"],
        ["becomes informational", [probe(), info], [probe({ weight: "INFORMATIONAL" }), info], "became INFORMATIONAL"],
        ["is for health only", [probe()], [probe({ use: "HEALTH" })], "got the use HEALTH"],
        ["has another target", [probe()], [probe({ target: "https://b.test/" })], "was changed"],
        ["expects less", [probe()], [probe({ expect: { statuses: ["5xx"] } })], "was changed"],
        ["is sent by runners", [probe()], [probe({ from: "RUNNERS" })], "was changed"],
        ["has a header of another value", [header("1")], [header("2")], "was changed"],
      ],
      3,
    ),
  )("%s asks a person, and never passes", async (_name, before, after, change) => {
    // Not even the setting that takes an unknown result as a good one.
    const { workspaceId, runId } = await red(before, { onInconclusive: "PASS" });
    await setProbes(workspaceId, after);
    prober.answer = () => passedSample(1);
    const asked = prober.asked.length;
    await round();
    expect(await read(runId)).toMatchObject({
      status: "VERIFYING",
      requiredAction: "JUDGE_VERIFICATION",
      verification: { status: "INCONCLUSIVE", reason: `The required probe web ${change} since the apply.` },
    });
    // What was seen before the change is kept, and the changed probe was not sent.
    expect((await read(runId))["verification"].probes[0]).toMatchObject({ name: "web", lastFailure: FAIL.reason });
    expect(prober.asked.length).toBe(asked);
    await conclude(scene.api, { runId, judgement: "BAD", comment: "It was red." });
    expect((await read(runId))["status"]).toBe("FAILED");
  });

  it("is removed fails after a day without a judgement", async () => {
    const { workspaceId, runId } = await red([probe()], { onInconclusive: "PASS" });
    await setProbes(workspaceId, []);
    await round();
    scene.server.advance(24 * 3600 * SECOND);
    await work.step();
    expect((await read(runId))["status"]).toBe("FAILED");
  });

  it("is removed at once fails where the settings state that", async () => {
    const { workspaceId, runId } = await red([probe()], { onInconclusive: "FAIL" });
    await setProbes(workspaceId, []);
    await round();
    expect((await read(runId))["status"]).toBe("FAILED");
  });
});

describe("a verification passes", () => {
  it.each<[string, object[], object[]]>([
    ["where its probes are saved as they are", [header("1")], [header("1")]],
    [
      "where a probe also watches the health, at another interval",
      [probe()],
      [probe({ use: "BOTH", intervalSeconds: 60 })],
    ],
    ["where a probe that decides nothing is removed", [probe(), info], [probe()]],
    ["where another probe is added", [probe()], [probe(), info]],
  ])("%s", async (_name, before, after) => {
    const { workspaceId, runId } = await red(before);
    await setProbes(workspaceId, after);
    prober.answer = () => passedSample(1);
    await round();
    expect(await read(runId)).toMatchObject({ status: "FINISHED", verification: { status: "PASSED" } });
  });

  it("by probes that were changed before the apply ended", async () => {
    const workspaceId = await scene.createWorkspace();
    await setProbes(workspaceId, [probe()]);
    const runId = await scene.createRun(workspaceId);
    await (await scene.claim(runId)).plan();
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    await work.step();
    await setProbes(workspaceId, [probe({ target: "https://new.test/" })]);
    await (await scene.claim(runId)).apply(0, "line");
    for (let rounds = 0; rounds < 3; rounds++) await round();
    expect(await read(runId)).toMatchObject({ status: "FINISHED", verification: { status: "PASSED" } });
  });
});
