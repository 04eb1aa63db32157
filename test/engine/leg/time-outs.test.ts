/** A limit was exceeded: the engine is interrupted, gets its grace, and is killed; the run is told how it ended. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { RunnerHarness } from "../../support/runner-harness.ts";

const FAKE = fileURLToPath(new URL("../../fixtures/fake-terraform", import.meta.url));
const DEAF = {
  engine: { path: FAKE, name: "terraform", version: "9.9.9" },
  limits: { ...RUNNER_LIMITS, planGraceMs: 50, interruptGraceMs: 50 },
} as const;

const said = (harness: RunnerHarness, line: string) => () => harness.server.lines.some(({ text }) => text === line);

test("a plan that hears nothing is killed, and nothing was changed", async () => {
  await using harness = await RunnerHarness.start(DEAF);
  await harness.offerPlan({ "main.tf": "", mode: "deaf-plan" });
  await harness.server.until(said(harness, "deaf from here on"));
  harness.server.expired = "SILENCE";
  const ended = await harness.server.ended();
  expect(ended).toMatchObject({
    type: "timedOut",
    sequence: 3,
    failure: { evidence: expect.arrayContaining(["deaf from here on"]) },
  });
  expect(ended).not.toMatchObject({ failure: { stateUncertain: true } });
});

test("an apply that hears nothing is killed, and nobody knows how far it got", async () => {
  await using harness = await RunnerHarness.start(DEAF);
  const plan = await harness.plan({ "main.tf": "", mode: "deaf-apply" });
  harness.offerApply(plan);
  await harness.server.until(said(harness, "deaf from here on"));
  harness.server.expired = "RUN";
  expect(await harness.server.ended()).toMatchObject({ type: "timedOut", failure: { stateUncertain: true } });
});

test("a real apply saves its state when its time is over, and says what it did", async () => {
  await using harness = await RunnerHarness.start();
  const wait = `echo waiting; until [ -e ${join(harness.workDir, "never")} ]; do sleep 0.05; done`;
  const last = `provisioner "local-exec" {\ncommand = ${JSON.stringify(wait)}\n}\ndepends_on = [terraform_data.a]`;
  const files = { "main.tf": `resource "terraform_data" "a" {}\nresource "terraform_data" "b" {\n${last}\n}\n` };
  harness.offerApply(await harness.plan(files));
  await harness.server.until(said(harness, "terraform_data.b (local-exec): waiting"));
  harness.server.expired = "RUN";
  const ended = await harness.server.ended();
  expect(ended).toMatchObject({ type: "timedOut", failure: { appliedAddresses: ["terraform_data.a"] } });
  expect(ended).not.toMatchObject({ failure: { stateUncertain: true } });
  expect(JSON.parse(harness.server.state?.toString() ?? "").resources).toHaveLength(2);
  expect(harness.server.lock).toBeNull();
});
