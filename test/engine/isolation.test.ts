/** What stands between engines, and around one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type EngineIsolation, isolatedCommand } from "../../src/runner/engine/engine-command.ts";
import { runEngine } from "../../src/runner/engine/engine-process.ts";
import { hasProcesses } from "../../src/runner/engine/orphan-processes.ts";
import { JobControl } from "../../src/runner/job/job-control.ts";
import { JobFolder, makeJobsFolder } from "../../src/runner/job/job-folder.ts";
import { RUNNER_LIMITS } from "../../src/runner/kit/runner-limits.ts";
import { takeSlotNumbers } from "../../src/runner/slot/slot-number.ts";
import { openSlot } from "../../src/runner/slot/slot.ts";
import { RunnerHarness } from "../support/runner-harness.ts";

const isRoot = process.getuid?.() === 0;
const FIRST_UID = 54_400;

const none = { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null };
const isolation = (bounds: Partial<EngineIsolation["bounds"]>, prefix: string[] = []): EngineIsolation => ({
  bounds: { ...none, ...bounds },
  prefix,
});

let folder: string;
let jobs: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-isolation-"));
  await chmod(folder, 0o711);
  jobs = await makeJobsFolder(folder, isRoot ? FIRST_UID : null);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a script as an engine is run; gives what it wrote. */
async function run(job: JobFolder, script: string, around: EngineIsolation, uid = job.engineUid): Promise<string> {
  const control = new JobControl(1000);
  let text = "";
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
  };
  const exit = await runEngine({
    path: "/bin/sh",
    args: ["-c", script],
    cwd: job.work,
    environment: { PATH: process.env["PATH"] ?? "", HOME: job.home, MARK: "of the engine" },
    uid,
    isolation: around,
    paths: { folder: job.path, work: job.work, cache: null },
    pidFile: job.engineFile,
    control,
    limits: RUNNER_LIMITS,
    onStdout: take,
    onStderr: take,
  });
  control[Symbol.dispose]();
  return `${text}${exit.code ?? exit.signal}`;
}

function makeJob(id: string, uid: number): Promise<JobFolder> {
  return JobFolder.create(jobs, { id, token: "" }, isRoot ? uid : null);
}

describe.runIf(isRoot)("as root", () => {
  test("jobs of two slots can neither read nor signal one another", async () => {
    const one = await makeJob("job_1", FIRST_UID);
    const two = await makeJob("job_2", FIRST_UID + 1);
    await one.writeForEngine(join(one.work, "secret"), "secret of one");
    const engine = spawn("sleep", ["989"], { uid: FIRST_UID, gid: FIRST_UID, cwd: "/", env: { A: "secret of one" } });
    const attempts = [
      `cat ${one.work}/secret`,
      `ls ${one.path}`,
      `ls ${one.work}/../home`,
      `cat /proc/${engine.pid}/environ`,
      `kill -9 ${engine.pid}`,
      `ls ${jobs}`,
    ];
    const text = await run(two, `exec 2>&1; id -u; ${attempts.join("; ")}; exit 7`, isolation({}));
    expect(text).toMatch(new RegExp(`^${FIRST_UID + 1}\n`));
    expect(text).not.toContain("secret of one");
    expect(text.match(/denied|not permitted/g)).toHaveLength(attempts.length);
    const ended = once(engine, "exit");
    engine.kill("SIGTERM");
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect((await stat(one.path)).mode & 0o777).toBe(0o710);
    expect((await stat(one.work)).mode & 0o777).toBe(0o700);
  });

  test("a bomb of processes is limited, for its slot alone", async () => {
    const job = await makeJob("job_1", FIRST_UID + 2);
    const bomb = "exec 2>&1; i=0; while [ $i -lt 60 ]; do sleep 30 & i=$((i+1)); done";
    expect(await run(job, bomb, isolation({ maxProcesses: 20 }))).toMatch(/fork/i);
    const other = await makeJob("job_2", FIRST_UID + 3);
    expect(await run(other, "sleep 0 & wait; echo fine", isolation({ maxProcesses: 20 }))).toBe("fine\n0");
  });

  test("a prefix with {uid} starts as root and becomes the engine's user itself", async () => {
    const setpriv = ["/usr/bin/setpriv", "--reuid", "{uid}", "--regid", "{uid}", "--clear-groups"];
    const job = await makeJob("job_1", FIRST_UID + 4);
    const around = isolation({ maxFileBytes: 1024 ** 2 }, setpriv);
    expect(await run(job, "id -u; ulimit -f; pwd", around)).toBe(`${FIRST_UID + 4}\n2048\n${job.work}\n0`);
  });
});

test("files and memory are limited", async () => {
  const job = await makeJob("job_1", FIRST_UID + 5);
  const files = isolation({ maxFileBytes: 1024 ** 2 });
  // What the shell says of it would come before or after the rest.
  const write = "exec 2>/dev/null; head -c 3000000 /dev/zero > large; echo $?; stat -c %s large";
  expect(await run(job, write, files)).toMatch(/^(?!0\n)\d+\n1048576\n0$/);
  const memory = isolation({ maxMemoryBytes: 256 * 1024 ** 2 });
  expect(await run(job, "head -c 600000000 /dev/zero | tail >/dev/null; echo $?", memory)).toMatch(/(?!0\n)\d+\n0$/);
});

test("a prefix is words, not a shell's line; bounds hold behind it", async () => {
  const job = await makeJob("job_1", FIRST_UID + 6);
  const script = join(folder, "around");
  await writeFile(script, '#!/bin/sh\necho "around $1 in $2; $3"\nshift 3\nexec "$@"\n');
  await chmod(script, 0o755);
  const around = isolation({ maxFileBytes: 1024 ** 2 }, [script, "{work}", "$(id)", "*"]);
  expect(await run(job, "echo $MARK; ulimit -f", around)).toBe(
    `around ${job.work} in $(id); *\nof the engine\n2048\n0`,
  );
  const engine = { path: "/e", args: ["plan"], environment: { A: "1", B: "secret" } };
  const place = { folder: "/j", work: "/j/work", cache: "/c/0", uid: 7 };
  const docker = ["docker", "run", "{env}", "--user={uid}:{uid}", "-v", "{folder}:{folder}", "-v", "{cache}:{cache}"];
  expect(isolatedCommand(engine, isolation({}, docker), place)).toEqual({
    path: "docker",
    args: ["run", "--env", "A", "--env", "B", "--user=7:7", "-v", "/j:/j", "-v", "/c/0:/c/0", "/e", "plan"],
  });
});

test("slots have numbers, and what hangs on them, that no other runner has while they last", async () => {
  const atWork = new Set<number>();
  const scope = {
    nameOf: (number: number): string => `test ${number} ${folder}`,
    isBusy: (number: number) => Promise.resolve(atWork.has(number)),
  };
  const [first, second] = await takeSlotNumbers(scope, 2);
  const third = await takeSlotNumbers(scope, 1);
  expect([first?.number, second?.number, third[0]?.number]).toEqual([0, 1, 2]);
  await first?.[Symbol.asyncDispose]();
  const again = await takeSlotNumbers(scope, 1);
  expect(again[0]?.number).toBe(0);
  await again[0]?.[Symbol.asyncDispose]();
  // The engine of a killed runner goes on under its number: whoever took that would end it.
  atWork.add(0);
  const beside = await takeSlotNumbers(scope, 1);
  expect(beside[0]?.number).toBe(3);
  for (const number of [second, ...third, ...beside]) await number?.[Symbol.asyncDispose]();
});

test.runIf(isRoot)("a user is at work as long as anything runs as it", async () => {
  const uid = FIRST_UID + 9;
  expect(await hasProcesses(uid)).toBe(false);
  const child = spawn("/bin/sh", ["-c", "echo begun; exec cat"], {
    uid,
    gid: uid,
    cwd: "/",
    stdio: ["pipe", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  expect(await hasProcesses(uid)).toBe(true);
  child.stdin.end();
  await once(child, "exit");
  expect(await hasProcesses(uid)).toBe(false);
});

test("real terraform within bounds and behind a prefix plans, applies, and is interrupted", async () => {
  const bounds = { maxProcesses: 4000, maxMemoryBytes: 16 * 1024 ** 3, maxFileBytes: 1024 ** 3 };
  const engineUid = isRoot ? FIRST_UID + 7 : null;
  await using harness = await RunnerHarness.start({ engineUid, isolation: isolation(bounds, ["/usr/bin/env", "X=1"]) });
  await chmod(harness.workDir, 0o711);
  const place = await openSlot({ ...harness.options, engineUid: null }, join(harness.workDir, "jobs"), 9);
  expect(place.engines.pluginCache).toBe(join(harness.workDir, "plugin-cache", "9"));
  const never = join(harness.workDir, "never");
  const command = `echo wait''ing X=$X; until [ -e ${never} ]; do sleep 0.05; done`;
  const plan = await harness.plan({
    "main.tf": `resource "terraform_data" "a" {\n provisioner "local-exec" {\n command = ${JSON.stringify(command)}\n }\n}`,
  });
  harness.offerApply(plan);
  await harness.server.until(() => harness.server.lines.some(({ text }) => text.includes("waiting X=1")));
  harness.runner.interrupt();
  expect(await harness.server.ended()).toMatchObject({ failure: { code: "APPLY_INTERRUPTED" } });
  await harness.runner.done;
});
