/** The progress of a verification as it arrives on the stream of its run. */
import { beforeEach, expect, it } from "vitest";
import { failedSample, passedSample } from "../../../src/model/probe/probe-sample.ts";
import type { Data } from "../../support/api.ts";
import { type EventSource, openEventSource } from "../../support/event-source.ts";
import { conclude, type ToldProber, type VerificationWork } from "../../support/verification-steps.ts";
import type { Scene } from "../scene.ts";
import { useVerificationScene } from "./verification-scene.ts";

const FAIL = failedSample("STATUS", "It answered with status 500; expected is 2xx, 3xx.");
const UNKNOWN = failedSample("NO_PROBER", "It could not run.");
const RUN_EVENTS = `subscription ($id: ID!) { stream: runEvents(runId: $id) { __typename
  ... on RunStatusChanged { status: to }
  ... on VerificationChanged { to verification { status reason probes { name passesInARow } } } } }`;

let scene: Scene;
let prober: ToldProber;
let work: VerificationWork;
const current = useVerificationScene();
beforeEach(() => ({ scene, prober, work } = current()));

/** A run that is VERIFYING, and its stream behind the snapshot. */
async function verifying(verificationSettings: object): Promise<{ runId: string; events: EventSource }> {
  const workspaceId = await scene.createWorkspace();
  const probes = [{ name: "web", kind: "HTTP", use: "VERIFY", from: "SERVER", target: "https://a.test/health" }];
  await scene.quick("updateWorkspace", { workspaceId, probes, verificationSettings });
  const runId = await scene.createRun(workspaceId);
  await (await scene.claim(runId)).plan();
  for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
  await work.step();
  const job = await scene.claim(runId);
  const events = await openEventSource(scene.api, RUN_EVENTS, { id: runId });
  expect((await events.next()).data.stream.__typename).toBe("RunSnapshot");
  await job.apply(0, "line");
  while ((await nextOf(events)).status !== "VERIFYING") continue;
  return { runId, events };
}

/** Returns the next item that is about a status; `null` at the end of the stream. */
async function nextOf(events: EventSource): Promise<Data> {
  for (;;) {
    const result = await events.next();
    if (result === null) return null;
    const { __typename: type, ...item } = result["data"].stream;
    if (type === "VerificationChanged" || type === "RunStatusChanged") return item;
  }
}

async function round(): Promise<void> {
  scene.server.advance(10_000);
  await work.step();
}

const changed = (status: string, passesInARow: number, reason: unknown = null): object => {
  return { to: status, verification: { status, reason, probes: [{ name: "web", passesInARow }] } };
};

it("a good result arrives after the first pass, before the end of the run", async () => {
  const { events } = await verifying({ successesInARow: 3 });
  await using _closed = events;
  await round();
  expect(await nextOf(events)).toEqual(changed("RUNNING", 1));
  // A second pass is no news.
  await round();
  await round();
  expect(await nextOf(events)).toEqual(changed("PASSED", 3));
  expect(await nextOf(events)).toEqual({ status: "FINISHED" });
  expect(await nextOf(events)).toBeNull();
});

it("a service that was up and is red arrives as that, then as a failure", async () => {
  const { events } = await verifying({ successesInARow: 3, failFastAfter: 2 });
  await using _closed = events;
  await round();
  expect(await nextOf(events)).toEqual(changed("RUNNING", 1));
  prober.answer = () => FAIL;
  await round();
  expect(await nextOf(events)).toEqual(changed("RUNNING", 0));
  await round();
  expect(await nextOf(events)).toEqual(changed("FAILED", 0, `The probe web does not pass. ${FAIL.reason}`));
  expect(await nextOf(events)).toEqual({ status: "FAILED" });
  expect(await nextOf(events)).toBeNull();
});

it("an unknown result arrives, and the judgement of a person after it", async () => {
  prober.answer = () => UNKNOWN;
  const { runId, events } = await verifying({ windowSeconds: 30 });
  await using _closed = events;
  for (let rounds = 0; rounds < 4; rounds++) await round();
  expect(await nextOf(events)).toMatchObject(changed("INCONCLUSIVE", 0, expect.stringContaining("It could not run.")));
  prober.answer = () => passedSample(1);
  await conclude(scene.api, { runId, judgement: "GOOD", comment: "It works." });
  expect(await nextOf(events)).toMatchObject({ to: "PASSED" });
  expect(await nextOf(events)).toEqual({ status: "FINISHED" });
});
