import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import { isSameProcess, type ProcessIdentity, processIdentity } from "../../src/os/process-identity.ts";
import { endProcessesOf } from "../../src/runner/engine/orphan-processes.ts";
import { JobFolder, makeJobsFolder } from "../../src/runner/job/job-folder.ts";
import { RUNNER_LIMITS } from "../../src/runner/kit/runner-limits.ts";
import { cleanUpOrphans } from "../../src/runner/slot/orphan-cleanup.ts";
import { waitUntil } from "../support/eventually.ts";
import { uidOf } from "../support/live-processes.ts";
import { RunnerHarness } from "../support/runner-harness.ts";

/** Starts a process that leaves the engine's group and is waited for by nobody; its pid is written to the file. */
const detaching = (pidFile: string, prefix = ""): Record<string, string> => ({
  "main.tf": `resource "terraform_data" "a" {
    provisioner "local-exec" {
      command = <<-EOT
        ${prefix} setsid -f sh -c 'echo $$ > ${pidFile}; exec sleep 989' >/dev/null 2>&1
        until [ -s ${pidFile} ]; do sleep 0.02; done
      EOT
    }
  }`,
});

async function identityIn(pidFile: string): Promise<ProcessIdentity> {
  const pid = Number(await readFile(pidFile, "utf8"));
  return processIdentity(pid) ?? { pid, startedAt: "has ended" };
}

async function end(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

describe.runIf(process.platform === "linux")("a process that left the engine's group", () => {
  test("is gone when the job has ended; another one of the same user is untouched", async () => {
    await using harness = await RunnerHarness.start();
    const jobs = join(harness.workDir, "jobs");
    await mkdir(jobs, { recursive: true });
    const bystanders = [
      spawn("sleep", ["989"], { detached: true, cwd: jobs }),
      // The job of another runner.
      spawn("sleep", ["989"], { detached: true, env: { ...process.env, HOME: join(jobs, "job_other", "home") } }),
    ];
    const pidFile = join(harness.workDir, "pid");
    const plan = await harness.plan(detaching(pidFile));
    expect((await harness.apply(plan)).type).toBe("applied");
    expect(isSameProcess(await identityIn(pidFile))).toBe(false);
    expect(bystanders.map(({ pid }) => processIdentity(pid ?? 0) !== null)).toEqual([true, true]);
    await Promise.all(bystanders.map(end));
  });

  test("is ended by the next runner where its own was killed", async () => {
    await using harness = await RunnerHarness.start();
    const jobs = join(harness.workDir, "leftovers");
    const folder = join(jobs, "dead");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, "runner.json"),
      JSON.stringify({
        pid: process.pid,
        startedAt: "before",
        job: { id: "dead", token: "t" },
        savesState: false,
        workFolder: ".",
      }),
    );
    const left = spawn("sleep", ["989"], { detached: true, env: { ...process.env, HOME: join(folder, "home") } });
    const ended = once(left, "exit");
    await cleanUpOrphans(jobs, { limits: RUNNER_LIMITS, log: harness.options.log });
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(await readdir(jobs)).toEqual([]);
  });
});

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("as root, one that hides its job", () => {
  const HIDDEN = "cd / && env -i PATH=$PATH";

  /** A plan, when of its job only what waits for the apply is left: what is started now comes after the slot had its user. */
  async function planned(harness: RunnerHarness, files: Record<string, string>): Promise<PlanContent> {
    const plan = await harness.plan(files);
    const isOver = async () =>
      await readdir(join(harness.workDir, "jobs"), { recursive: true }).then(
        (names) => !names.some((name) => /^[^/]+\/home$/.test(name)),
        // A folder was removed while it was looked at.
        () => false,
      );
    await waitUntil(isOver);
    return plan;
  }

  test("is known by the engine's user", async () => {
    const engineUid = 54_322;
    await using harness = await RunnerHarness.start({ engineUid });
    await chmod(harness.workDir, 0o711);
    const shared = join(harness.workDir, "shared");
    await mkdir(shared);
    await chmod(shared, 0o777);
    const plan = await planned(harness, detaching(join(shared, "pid"), HIDDEN));
    // It has a parent that lives, which no process has that was left.
    const bystander = spawn("sleep", ["989"], { uid: engineUid, gid: engineUid, env: {}, cwd: "/" });
    onTestFinished(() => end(bystander));
    expect((await harness.apply(plan)).type).toBe("applied");
    expect(isSameProcess(await identityIn(join(shared, "pid")))).toBe(false);
    expect(processIdentity(bystander.pid ?? 0)).not.toBeNull();
  });

  test("is left alone while another job may have started it", async () => {
    const engineUid = 54_323;
    await using harness = await RunnerHarness.start({ engineUid });
    await chmod(harness.workDir, 0o711);
    const shared = join(harness.workDir, "shared");
    await mkdir(shared);
    await chmod(shared, 0o777);
    const plan = await planned(harness, detaching(join(shared, "pid"), HIDDEN));
    const env = { HOME: "/elsewhere/jobs/job_other/home" };
    const engine = spawn("sleep", ["989"], { uid: engineUid, gid: engineUid, env, cwd: "/" });
    onTestFinished(() => end(engine));
    expect((await harness.apply(plan)).type).toBe("applied");
    const left = await identityIn(join(shared, "pid"));
    expect(isSameProcess(left)).toBe(true);
    process.kill(left.pid, "SIGKILL");
  });

  test("cannot outrun its end by making others all the time", async () => {
    const engineUid = 54_324;
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-bomb-"));
    await chmod(folder, 0o711);
    const jobs = await makeJobsFolder(folder, engineUid);
    const job = await JobFolder.create(jobs, { id: "job_1", token: "" }, engineUid);
    // Each is gone before it is seen, and has made the next one, in a session of its own.
    const script = join(job.work, "bomb");
    await job.writeForEngine(script, `setsid sh ${script} &\n`);
    const bomb = spawn("sh", [script], {
      uid: engineUid,
      gid: engineUid,
      cwd: job.work,
      env: { PATH: "/usr/bin:/bin" },
    });
    await once(bomb, "exit");
    await endProcessesOf(engineUid);
    await rm(join(folder, "jobs"), { recursive: true });
    const pids = (await readdir("/proc")).map(Number).filter((pid) => uidOf(pid) === engineUid);
    expect(pids.filter((pid) => processIdentity(pid) !== null)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
