/** An apply that follows its plan at once, by the same runner. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Job, JobMessage } from "../../../src/ingestion/wire.ts";
import { refusal } from "../../support/fake-protocol-server.ts";
import { RunnerHarness } from "../../support/runner-harness.ts";

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await RunnerHarness.start();
});
afterEach(() => harness[Symbol.asyncDispose]());

const files = { "main.tf": 'resource "terraform_data" "a" {}\n' };

/** Answers the plan with its apply; `meanwhile` happens before the answer. Nothing else is to be claimed then. */
async function follow(meanwhile: () => void | Promise<void>): Promise<Job> {
  const followed = Promise.withResolvers<Job>();
  harness.server.intervene = async ({ path, body }) => {
    if (path !== "messages") return undefined;
    const message: JobMessage = JSON.parse(body.toString());
    if (message.type !== "planned") return undefined;
    await meanwhile();
    const next = harness.offerApply(message.plan, { nextLine: harness.server.lines.length + 1 });
    harness.server.intervene = () => undefined;
    followed.resolve(next);
    return { status: 200, body: { goOn: false, next } };
  };
  await harness.offerPlan(files);
  return followed.promise;
}

test("a drain waits for it: the run applies since its plan was reported", async () => {
  await follow(() => harness.runner.drain());
  expect(await harness.server.ended()).toMatchObject({ type: "applied", appliedAddresses: ["terraform_data.a"] });
  await harness.runner.done;
  expect(harness.server.messages.map(({ type }) => type)).toEqual(["prepared", "applied"]);
  expect(new Set(harness.server.lines.map(({ phase }) => phase))).toEqual(new Set(["APPLY"]));
  expect(harness.server.stateVersions).not.toEqual([]);
  expect(harness.server.lock).toBeNull();
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});

test("an interrupt before its engine starts ends it, with nothing applied and nothing uncertain", async () => {
  await follow(() => harness.runner.interrupt());
  const message = await harness.server.ended();
  expect(message).toMatchObject({ type: "failed", failure: { code: "APPLY_INTERRUPTED", appliedAddresses: [] } });
  expect(message.type === "failed" && message.failure.stateUncertain).toBeFalsy();
  await harness.runner.done;
  expect(harness.server.stateVersions).toEqual([]);
});

test("a heartbeat that hears of the plan's end first does not keep it from being taken up", async () => {
  await follow(async () => {
    const { server } = harness;
    const beats = (): number => server.requests.filter(({ path }) => path === "heartbeat").length;
    const before = beats();
    const reported = server.intervene;
    server.intervene = (request) => (request.path === "heartbeat" ? refusal(410, "JOB_OVER") : reported(request));
    // The first one may have been on its way already; the third one is sent after an answer that was refused.
    await server.until(() => beats() >= before + 3);
    harness.runner.drain();
  });
  expect(await harness.server.ended()).toMatchObject({ type: "applied" });
});
