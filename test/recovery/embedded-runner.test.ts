import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EmbeddedMessage } from "../../src/runner/embedded-messages.ts";
import { RunnerHarness } from "../support/runner-harness.ts";

let harness: RunnerHarness;
let child: ChildProcess;
beforeEach(async () => {
  harness = await RunnerHarness.start();
  // Only the process under test is to claim.
  harness.runner.drain();
  await harness.runner.done;
  const { log: _log, clock: _clock, randomId: _randomId, limits: _limits, ...settings } = harness.options;
  child = fork(new URL("../../src/runner/embedded.ts", import.meta.url), {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  child.stdout?.resume();
  send({ type: "start", settings: { ...settings, probing: null, logLevel: "info" } });
});
afterEach(async () => {
  if (child.exitCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await harness[Symbol.asyncDispose]();
});

function send(message: EmbeddedMessage): void {
  child.send(message);
}

const waitFor = (release: string) => ({
  "main.tf": `resource "terraform_data" "a" {
    provisioner "local-exec" {
      command = "echo waiting; until [ -e ${release} ]; do sleep 0.05; done"
    }
  }`,
});
const waiting = () => harness.server.lines.some(({ text }) => text.endsWith("(local-exec): waiting"));

test("settings stand neither in its arguments nor in its environment, and signals of the terminal do not end it", async () => {
  const files = { "main.tf": 'output "o" { value = 1 }' };
  await harness.plan(files);
  if (process.platform === "linux") {
    const visible =
      (await readFile(`/proc/${child.pid}/cmdline`, "utf8")) + (await readFile(`/proc/${child.pid}/environ`, "utf8"));
    expect(visible).not.toContain(harness.server.runnerToken);
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) child.kill(signal);
  await harness.plan(files);
  send({ type: "drain" });
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("when the server dies an apply is finished, and its result delivered when a server is back", async () => {
  const release = join(harness.workDir, "go");
  harness.offerApply(await harness.plan(waitFor(release)));
  await harness.server.until(waiting);
  child.stdout?.destroy();
  child.disconnect();
  await harness.server.goAway();
  await writeFile(release, "");
  await harness.server.listen();
  expect(await harness.server.ended()).toMatchObject({ type: "applied" });
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(harness.server.log).toContain("Apply complete!");
});

test("when the server dies a plan is handed back", async () => {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<undefined>();
  harness.server.intervene = async ({ path }) => {
    if (path !== "state") return undefined;
    held.resolve();
    return released.promise;
  };
  await harness.offerPlan({ "main.tf": 'output "o" { value = 1 }' });
  await held.promise;
  child.disconnect();
  released.resolve(undefined);
  expect(await harness.server.ended()).toMatchObject({ type: "handedBack" });
  expect(await once(child, "exit")).toEqual([0, null]);
});
