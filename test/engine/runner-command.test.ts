/** `npm run runner` as a process, against the server's side of the protocol in memory. */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "../support/eventually.ts";
import { refusal } from "../support/fake-protocol-server.ts";
import { RunnerHarness } from "../support/runner-harness.ts";
import { type RunnerProcess, startRunnerProcess } from "../support/runner-process.ts";

const OUTPUT = { "main.tf": 'output "o" { value = 1 }' };

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await RunnerHarness.start();
  // Only the process under test is to claim.
  harness.runner.drain();
  await harness.runner.done;
});
afterEach(() => harness[Symbol.asyncDispose]());

function start(args: string[] = []): RunnerProcess {
  const { server, workDir } = harness;
  return startRunnerProcess(["--server", server.url, "--pool", "builders", "--work-dir", workDir, ...args], {
    HOLDPOINT_RUNNER_TOKEN: server.runnerToken,
  });
}

const waitsFor = (release: string) => ({
  "main.tf": `resource "terraform_data" "a" {
    provisioner "local-exec" {
      command = "echo waiting; until [ -e ${release} ]; do sleep 0.05; done"
    }
  }`,
});
const waiting = () => harness.server.lines.some(({ text }) => text.endsWith("(local-exec): waiting"));

/** Whoever asks for the state waits. */
function holdStates(): { held: Promise<void>; go: () => void } {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<undefined>();
  harness.server.intervene = async ({ path }) => {
    if (path !== "state") return undefined;
    held.resolve();
    return released.promise;
  };
  return { held: held.promise, go: () => released.resolve(undefined) };
}

test("a token that is refused and another pool end it, with what to do; the token is never shown", async () => {
  const secret = "hpr_not-the-token-of-this-server";
  await using refused = startRunnerProcess(["--server", harness.server.url, "--pool", "builders"], {
    HOLDPOINT_RUNNER_TOKEN: secret,
    HOLDPOINT_RUNNER_WORK_DIR: harness.workDir,
  });
  await using other = start(["--pool", "default/others"]);
  harness.server.intervene = ({ path }) => (path.startsWith("/elsewhere") ? { status: 404 } : undefined);
  await using engineless = start(["--engine", "/nowhere"]);
  await using lost = start(["--server", `${harness.server.url}/elsewhere`]);
  expect(await refused.exited).toBe(3);
  expect(refused.output()).toContain("does not accept the runner or its token");
  expect(refused.output()).not.toContain(secret);
  expect(await other.exited).toBe(2);
  expect(other.output()).toContain('belongs to the pool "builders" of default, not to "default/others"');
  expect(await engineless.exited).toBe(2);
  expect(engineless.output()).toContain("HOLDPOINT_ENGINE");
  expect(await lost.exited).toBe(1);
  expect(lost.output()).toContain("Check the address");
});

test("it waits for a server that is away, drains a plan on SIGTERM and says that it drains", async () => {
  await harness.server.goAway();
  await using runner = start(["--name", "r1", "--labels", "linux,gpu", "--slots", "2"]);
  await runner.says("The server does not answer: retrying");
  await harness.server.listen();
  await runner.says("The runner is ready");
  const released = holdStates();
  await harness.offerPlan(OUTPUT);
  await released.held;
  runner.child.kill("SIGTERM");
  await harness.server.until(() =>
    harness.server.requests.some(({ path, body }) => path === "claim" && body.includes('"draining":true')),
  );
  released.go();
  expect(await harness.server.ended()).toMatchObject({ type: "handedBack" });
  expect(await runner.exited).toBe(0);
  const claim = harness.server.requests.find(({ path }) => path === "claim");
  expect(JSON.parse(claim?.body.toString() ?? "").runner).toMatchObject({
    name: "r1",
    labels: ["linux", "gpu"],
    slots: 2,
    draining: false,
  });
  expect(await readdir(join(harness.workDir, "jobs"))).toEqual([]);
});

test("told to cycle, it finishes its plan and ends well; a second SIGTERM interrupts an apply", async () => {
  await using runner = start(["--slots", "2"]);
  const released = holdStates();
  await harness.offerPlan(OUTPUT);
  await released.held;
  harness.server.askToCycle();
  await runner.says("The server asks for a new process");
  released.go();
  expect(await harness.server.ended()).toMatchObject({ type: "planned" });
  expect(await runner.exited).toBe(0);

  harness.server.cycle = false;
  await using second = start();
  harness.offerApply(await harness.plan(waitsFor(join(harness.workDir, "never"))));
  await harness.server.until(waiting);
  second.child.kill("SIGTERM");
  await second.says("Draining");
  // Signals that come too soon are the first one's.
  await waitFor(() => {
    // None is sent once it was understood: the end of the process would be that of a signal.
    if (!second.output().includes("Interrupting")) second.child.kill("SIGTERM");
    expect(second.output()).toContain("Interrupting");
  });
  expect(await harness.server.ended()).toMatchObject({ type: "failed", failure: { code: "APPLY_INTERRUPTED" } });
  expect(await second.exited).toBe(0);
});

test("what a killed runner left is delivered by the next one, or kept", async () => {
  harness.server.intervene = ({ path }) => {
    if (!path.startsWith("state?ID=left")) return undefined;
    return path.endsWith("wanted") ? { status: 202 } : refusal(410, "JOB_OVER");
  };
  {
    await using killed = start();
    // It writes all the time: whoever reads that must not be missed.
    const command = "echo waiting; while :; do echo more; sleep 0.02; done";
    const second = `depends_on = [terraform_data.a]\n provisioner "local-exec" {\n command = "${command}"\n }`;
    const files = { "main.tf": `resource "terraform_data" "a" {}\nresource "terraform_data" "b" {\n ${second}\n}` };
    harness.offerApply(await harness.plan(files));
    await harness.server.until(() => harness.server.log.includes("(local-exec): waiting"));
    killed.child.kill("SIGKILL");
    await killed.exited;
  }
  expect(harness.server.state).toBeNull();
  const jobs = join(harness.workDir, "jobs");
  // The folder of the plan may wait beside that of its apply.
  expect(await readdir(jobs)).toContainEqual(expect.stringMatching(/^job_/));
  for (const name of ["wanted", "refused"]) {
    const folder = join(jobs, `job_${name}`);
    await mkdir(join(folder, "work"), { recursive: true });
    const owner = {
      pid: process.pid,
      startedAt: "before",
      job: { id: `job_${name}`, token: "ended" },
      savesState: true,
      workFolder: ".",
    };
    await writeFile(join(folder, "runner.json"), JSON.stringify(owner));
    await writeFile(join(folder, "state-lock"), `left-${name}`);
    await writeFile(join(folder, "work", "errored.tfstate"), "{}");
  }
  await using next = start();
  await next.says("it is kept, and delivery is retried");
  await harness.server.until(() => harness.server.stateVersions.length > 0);
  await expect.poll(() => readdir(jobs)).toEqual(["job_refused"]);
  // The engine was interrupted, saved what it had made in its folder, and let its lock go.
  const { resources } = JSON.parse(harness.server.state?.toString() ?? "{}");
  expect(resources.map(({ name }: { name: string }) => name)).toEqual(["a", "b"]);
  // It never got so far as to give its first state a lineage.
  expect(harness.server.state?.toString()).toMatch(/"serial": 1,\s+"lineage": "[0-9a-f]{8}-[0-9a-f-]{27}"/);
  next.child.kill("SIGTERM");
  expect(await next.exited).toBe(0);
});
