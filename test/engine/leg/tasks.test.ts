/** Runs of kind TASK and UNLOCK on a runner with a real engine. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Job } from "../../../src/ingestion/wire.ts";
import { refusal } from "../../support/fake-protocol-server.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

let harness: RunnerHarness;
beforeEach(async () => {
  harness = await RunnerHarness.start();
});
afterEach(() => harness[Symbol.asyncDispose]());

const data = (name: string, body = "") => `resource "terraform_data" "${name}" {\n${body}\n}\n`;
const MAIN = { "main.tf": data("a") + data("b") };

async function offerTask(
  command: string,
  files: Record<string, string> = MAIN,
  more: Partial<Job> = {},
): Promise<void> {
  await harness.offerPlan(files, { leg: "TASK", run: { id: "run_2", number: 2, kind: "TASK" }, command, ...more });
}

const types = () => harness.server.messages.map(({ type }) => type);
const texts = (phase: string) => harness.server.lines.filter((line) => line.phase === phase).map(({ text }) => text);
const resources = () =>
  JSON.parse(harness.server.state?.toString() ?? "").resources.map(({ name }: { name: string }) => name);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process lives that the runner waits for. */
async function isEngineAlive(): Promise<boolean> {
  const jobs = join(harness.workDir, "jobs");
  const [folder = ""] = await readdir(jobs);
  const { pid } = JSON.parse(await readFile(join(jobs, folder, "engine.json"), "utf8"));
  return isRunning(pid);
}

test("a task has the engine and the state as an apply has them, and what it prints is the log of its phase", async () => {
  await harness.deploy(MAIN);
  await offerTask("terraform state rm terraform_data.a\nterraform state list; echo to stderr >&2", MAIN, {
    variables: [variable("MARK", "north", { category: "ENVIRONMENT" })],
  });
  expect(await harness.server.ended()).toMatchObject({ type: "performed" });
  expect(types()).toEqual(["prepared", "initialized", "performed"]);
  expect(resources()).toEqual(["b"]);
  expect(harness.server.lock).toBeNull();
  const log = texts("PERFORM");
  expect(log[0]).toBe("$ terraform state rm terraform_data.a");
  expect(log).toContain("terraform_data.b");
  expect(log).toContain("to stderr");
  expect(log.at(-1)).toBe("The command ended: exit code 0.");
});

test("what is secret stays masked, also what only the state knows", async () => {
  const files = { "main.tf": `${data("a")}output "key" {\n value = "state-canary"\n sensitive = true\n}\n` };
  await harness.deploy(files);
  await offerTask('terraform output -raw key; echo; echo "$API_KEY"; env', files, {
    variables: [variable("API_KEY", "variable-canary", { category: "ENVIRONMENT", sensitive: true })],
    secrets: ["former-canary"],
  });
  expect(await harness.server.ended()).toMatchObject({ type: "performed" });
  expect(harness.server.log).not.toContain("canary");
  expect(texts("PERFORM")).toContain("API_KEY=(sensitive value)");
  expect(harness.server.log).toMatch(/TF_HTTP_PASSWORD=\(sensitive value\)/);
});

test("a command that fails", async () => {
  await offerTask("echo first; echo it is bad >&2; exit 3");
  const ended = await harness.server.ended();
  expect(ended).toMatchObject({
    type: "failed",
    failure: {
      code: "TASK_FAILED",
      stage: "DEPLOY",
      summary: "The command failed (exit code 3).",
      message: "it is bad",
    },
  });
  const failure = ended.type === "failed" ? ended.failure : undefined;
  expect(failure?.stateUncertain).toBeUndefined();
  expect(failure?.evidence).toContain("first");
});

test("an engine that is killed in a task leaves the state locked, and that is said", async () => {
  const wait = 'provisioner "local-exec" {\n command = "kill -9 $PPID"\n}';
  await offerTask("terraform apply -auto-approve -input=false; true", { "main.tf": data("a", wait) });
  expect(await harness.server.ended()).toMatchObject({
    type: "failed",
    failure: { code: "TASK_FAILED", stateUncertain: true, summary: "The command left the state locked (exit code 0)." },
  });
});

test("a state that the server refuses is kept, and the run says so", async () => {
  await harness.deploy(MAIN);
  harness.server.intervene = ({ method, path }) => {
    return method === "POST" && path.startsWith("state?") ? refusal(409, "STATE_REFUSED") : undefined;
  };
  await offerTask("terraform apply -auto-approve -input=false", { "main.tf": data("c") });
  expect(await harness.server.ended()).toMatchObject({
    failure: { code: "STATE_NOT_SAVED", stateUncertain: true },
  });
});

test("cancelled at work: the shell waits for its engine, whose state is saved; what follows is not begun", async () => {
  const release = join(harness.workDir, "go");
  const wait = `provisioner "local-exec" {\n command = "echo wait''ing; until [ -e ${release} ]; do sleep 0.05; done"\n}`;
  const files = { "main.tf": data("a") + data("b", `${wait}\ndepends_on = [terraform_data.a]`) };
  await offerTask("terraform apply -auto-approve -input=false; echo after it", files);
  await harness.server.until(() => harness.server.log.includes("waiting"));
  // Who is waited for is the shell: an engine that saves its state after it has ended would be killed while it does.
  const shellLives: boolean[] = [];
  harness.server.intervene = async ({ method, path }) => {
    if (method === "POST" && path.startsWith("state?")) shellLives.push(await isEngineAlive());
    return undefined;
  };
  harness.server.cancelRequested = true;
  const ended = await harness.server.ended();
  expect(ended).toMatchObject({
    type: "stopped",
    failure: { code: "APPLY_INTERRUPTED", summary: "The command was interrupted." },
  });
  expect(ended.type === "stopped" ? ended.failure?.stateUncertain : true).toBeUndefined();
  expect(resources()).toContain("a");
  expect(harness.server.lock).toBeNull();
  expect(texts("PERFORM")).not.toContain("after it");
  expect(shellLives.length).toBeGreaterThan(0);
  expect(shellLives).not.toContain(false);
  await writeFile(release, "");
});

test("a task that does not end when it is cancelled gets its time, unless the runner is interrupted", async () => {
  await using hasty = await RunnerHarness.start({ limits: { interruptGraceMs: 50 } });
  const task = { leg: "TASK", run: { id: "run_2", number: 2, kind: "TASK" } } as const;
  await hasty.offerPlan(MAIN, {
    ...task,
    command: "trap 'echo not yet' INT; echo ready; while :; do sleep 0.05; done",
  });
  await hasty.server.until(() => hasty.server.log.includes("\nready"));
  hasty.server.cancelRequested = true;
  await hasty.server.until(() => hasty.server.log.includes("\nnot yet"));
  expect(hasty.server.messages.map(({ type }) => type)).toEqual(["prepared", "initialized"]);
  hasty.runner.interrupt();
  expect(await hasty.server.ended()).toMatchObject({
    type: "stopped",
    failure: { code: "APPLY_INTERRUPTED", stateUncertain: true },
  });
});

test("an UNLOCK needs neither source nor engine, and says who holds what", async () => {
  await using bare = await RunnerHarness.start({ engine: null });
  const job = {
    leg: "TASK",
    run: { id: "run_2", number: 2, kind: "UNLOCK" },
    source: null,
    unlock: {
      stateLock: {
        id: "4711",
        who: "ada@host",
        operation: "OperationTypeApply",
        since: "2026-11-20T16:07:25.447Z",
        runId: "run_1",
      },
      interruption: { runId: "run_1", since: "2026-11-20T16:09:25.447Z" },
    },
  } as const;
  await bare.offerPlan({}, job);
  expect(await bare.server.ended()).toMatchObject({ type: "performed" });
  const lines = bare.server.lines.filter(({ phase }) => phase === "PERFORM").map(({ text }) => text);
  expect(lines).toEqual([
    'State lock 4711: held by ada@host, operation "OperationTypeApply", since 2026-11-20T16:07:25.447Z, run run_1.',
    "Workspace lock APPLY_INTERRUPTED: since 2026-11-20T16:09:25.447Z, run run_1.",
    "Releasing it.",
  ]);
  expect(bare.server.requests.some(({ path }) => path === "source")).toBe(false);
  await bare.offerPlan({}, { ...job, unlock: { stateLock: null, interruption: null } });
  expect(await bare.server.ended()).toMatchObject({ type: "performed" });
  expect(bare.server.log).toContain("Nothing is locked: there is nothing to release.");
});
