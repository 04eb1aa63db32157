/** Verifications while the clock of the server jumps: the window stays, and nothing is judged that was not seen. */
import { beforeEach, expect, it } from "vitest";
import { failedSample, passedSample, type ProbeSample } from "../../../src/model/probe/probe-sample.ts";
import type { Data } from "../../support/api.ts";
import { readVerified, type ToldProber, type VerificationWork } from "../../support/verification-steps.ts";
import { walk } from "../../support/walk.ts";
import type { Scene } from "../scene.ts";
import { useVerificationScene } from "./verification-scene.ts";

const FAIL = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
const INTERVAL_MS = 10_000;
const HOUR_MS = 3600 * 1000;

let scene: Scene;
let prober: ToldProber;
let work: VerificationWork;
const current = useVerificationScene();
beforeEach(() => ({ scene, prober, work } = current()));

const read = (runId: string): Promise<Data> => readVerified(scene.api, runId);

/** A run that is verified for five minutes, and whose probe has answered twice, so that a third answer is missing. */
async function probedTwice(answer: ProbeSample): Promise<{ runId: string; endsBy: string }> {
  const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED" });
  const probes = [{ name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/" }];
  await scene.quick("updateWorkspace", { workspaceId, probes, rollbackSettings: { mode: "AUTO_SAFE" } });
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
  await work.step();
  await (await scene.claim(runId)).apply(0, "line");
  prober.answer = () => answer;
  for (let round = 0; round < 2; round++) await passInterval();
  const { status, verification } = await read(runId);
  expect([status, verification.probes[0].attempts]).toEqual(["VERIFYING", 2]);
  return { runId, endsBy: verification.endsBy };
}

async function passInterval(): Promise<void> {
  scene.server.advance(INTERVAL_MS);
  await work.step();
}

it("an hour ahead: what passes after the window has not passed three times in a row", async () => {
  const { runId } = await probedTwice(passedSample(1));
  scene.server.advance(HOUR_MS);
  await work.step();
  await passInterval();
  expect(await read(runId)).toMatchObject({
    status: "VERIFYING",
    requiredAction: "JUDGE_VERIFICATION",
    failure: null,
    verification: { status: "INCONCLUSIVE" },
  });
});

it("an hour ahead, where nothing is found out any more: failures of long ago are no result", async () => {
  const { runId } = await probedTwice(FAIL);
  prober.answer = () => Promise.reject(new Error("The prober is away."));
  scene.server.advance(HOUR_MS);
  await work.step();
  await passInterval();
  expect(await read(runId)).toMatchObject({
    status: "VERIFYING",
    failure: null,
    verification: { status: expect.stringMatching(/^(?:RUNNING|INCONCLUSIVE)$/) },
  });
});

it.each(
  walk(
    [
      ["passes", passedSample(1), "FINISHED", "PASSED"],
      ["fails", FAIL, "FAILED", "FAILED"],
    ],
    1,
  ),
)("an hour back: a probe that %s is judged by its own time", async (_what, answer, status, result) => {
  const { runId, endsBy } = await probedTwice(answer);
  scene.server.advance(-HOUR_MS);
  for (let round = 0; round < 3; round++) await passInterval();
  expect(await read(runId)).toMatchObject({ status: "VERIFYING", failure: null, verification: { endsBy } });
  // The clock is where it was before.
  scene.server.advance(HOUR_MS);
  for (let round = 0; round < 40 && (await read(runId))["status"] === "VERIFYING"; round++) await passInterval();
  expect(await read(runId)).toMatchObject({ status, verification: { status: result, endsBy } });
});
