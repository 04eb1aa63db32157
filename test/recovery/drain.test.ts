/** Signals: a plan is handed back, an apply is waited for, a second signal interrupts it; nothing is left running. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { startRun } from "../support/change-source.ts";
import { waitFor } from "../support/eventually.ts";
import { claim } from "../support/fake-runner.ts";
import { Follower } from "../support/follower.ts";
import { startHeldApply } from "../support/held-apply.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { startInProcess } from "../support/in-process.ts";
import { liveProcesses, survivors, uidOf } from "../support/live-processes.ts";
import * as steps from "../support/run-steps.ts";
import { freePort, makeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const FREE = { lock: null, stateLock: null, currentRun: null };

let work: HeldWork;
let dataDir: string;
let port: number;
/** Each test ends the one that it finds and leaves the next one, on the same folder. */
let server: ServerProcess;
beforeAll(async () => {
  work = await startHeldWork();
  dataDir = await makeDataDir();
  port = await freePort();
  server = await start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await rm(join(dataDir, ".."), { recursive: true, force: true });
});

function start(): Promise<ServerProcess> {
  const env = { HOLDPOINT_SOURCE_ROOTS: work.root, TF_VAR_mark: dataDir };
  return startServerProcess({ dataDir, port, env });
}

/** Fulfilled when the server's output, past or to come, has the text. */
function untilOutput(server: ServerProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (server.output().includes(text)) resolve();
    };
    server.child.stdout?.on("data", look);
    server.child.stderr?.on("data", look);
    look();
  });
}

/** The exit code; none of the processes that the server had is left, and Postgres ended in good order. */
async function expectCleanEnd(server: ServerProcess, had: ReturnType<typeof liveProcesses>): Promise<void> {
  expect(await server.exited).toBe(0);
  expect(survivors(had)).toEqual([]);
  expect(liveProcesses(dataDir, server.pid)).toEqual([]);
  const postgresLog = (await readFile(join(dataDir, "postgres.log"), "utf8")).trimEnd().split("\n");
  expect(postgresLog.at(-1)).toContain("database system is shut down");
  expect(postgresLog.join("\n")).not.toContain("was interrupted");
}

async function expectNoGaps({ api }: ServerProcess, run: string): Promise<steps.RunRecord> {
  const record = await steps.readRun(api, run);
  expect(record.versions).toEqual(steps.countTo(record.version));
  expect(record.lines.map(({ number }) => number)).toEqual(steps.countTo(record.lines.length));
  return record;
}

describe("SIGTERM", () => {
  it("hands a plan back, and the next start goes on with it", async () => {
    const plan = await work.heldPlan("plan");
    const workspace = await steps.createWorkspace(server.api, "plan", plan.path);
    const run = await steps.createRun(server.api, workspace);
    const events = new Follower("runEvents", run);
    const log = new Follower("runLog", run);
    const followed = Promise.all([events.connect(server.api), log.connect(server.api)]);
    await plan.reached;
    const had = liveProcesses(dataDir, server.pid);
    server.child.kill("SIGTERM");
    // The server answers until its runner has ended.
    await log.until(({ lines }) => lines?.some(({ text }: { text: string }) => text.includes("Interrupt received")));
    plan.release();
    expect(await followed).toEqual(["dropped", "dropped"]);
    await expectCleanEnd(server, had);

    server = await start();
    await waitForStatus(server.api, run, "AWAITING_PLAN_APPROVAL");
    const resumed = events.connect(server.api);
    await events.until(({ to }) => to === "AWAITING_PLAN_APPROVAL");
    await events.leave();
    await resumed;
    const record = await expectNoGaps(server, run);
    const attempt = ["READY", "PREPARING", "INITIALIZING", "PLANNING"];
    expect(record.statuses).toEqual(["QUEUED", ...attempt, ...attempt, "AWAITING_PLAN_APPROVAL"]);
    expect(events.versions).toEqual(record.versions.filter((version) => version > events.items[0].run.version));
  });

  it("costs a plan none of its attempts, however often it comes", async () => {
    await using inProcess = await startInProcess();
    const { run, job } = await startRun(inProcess);
    await job.message({ type: "handedBack" });
    for (let time = 2; time <= 5; time += 1) {
      const again = await claim(inProcess.url, inProcess.runnerToken);
      expect((await again?.message({ type: "handedBack" }))?.status).toBe(200);
    }
    expect((await steps.readRun(inProcess.api, run)).statuses.at(-1)).toBe("READY");
  });

  it("waits for an apply and stores its result", async () => {
    const held = await startHeldApply(server.api, work, "waited");
    const had = liveProcesses(dataDir, server.pid);
    server.child.kill("SIGTERM");
    await untilOutput(server, "a running apply is waited for");
    expect((await steps.readRun(server.api, held.run)).statuses.at(-1)).toBe("APPLYING");
    await held.release();
    await expectCleanEnd(server, had);

    server = await start();
    expect(await waitForStatus(server.api, held.run, "FINISHED")).toMatchObject({ outcome: "APPLIED", failure: null });
    expect(await steps.holdsOf(server.api, held.workspace)).toEqual(FREE);
    await expectNoGaps(server, held.run);
  });

  it("interrupts the apply when it comes again: its state is saved", async () => {
    const held = await startHeldApply(server.api, work, "interrupted");
    const had = liveProcesses(dataDir, server.pid);
    server.child.kill("SIGTERM");
    await untilOutput(server, "a running apply is waited for");
    // Signals that come too soon are the first one's; one that comes too late would end the process in its own way.
    await waitFor(() => {
      if (!server.output().includes("Interrupting")) server.child.kill("SIGTERM");
      expect(server.output()).toContain("Interrupting");
    });
    await expectCleanEnd(server, had);

    server = await start();
    expect((await waitForStatus(server.api, held.run, "FAILED")).failure).toMatchObject({
      code: "APPLY_INTERRUPTED",
      stage: "APPLY",
      appliedAddresses: ["terraform_data.first"],
      stateUncertain: false,
    });
    expect(await steps.holdsOf(server.api, held.workspace)).toEqual(FREE);
    await expectNoGaps(server, held.run);
    // The saved state is what the next plan begins with.
    const rest = await steps.createRun(server.api, held.workspace);
    const { plan } = await waitForStatus(server.api, rest, "AWAITING_PLAN_APPROVAL");
    expect(plan).toMatchObject({ additions: 0, replacements: 1 });
  });
});

describe.runIf(process.getuid?.() === 0)("as root", () => {
  it("the engine has a user of its own, and Postgres another", async () => {
    const path = await work.source(
      "uid",
      `resource "terraform_data" "a" {
         provisioner "local-exec" { command = "echo uid=$(id -u) gid=$(id -g)" }
       }`,
    );
    const workspace = await steps.createWorkspace(server.api, "uid", path);
    const run = await steps.createRun(server.api, workspace);
    await steps.approveBoth(server.api, run);
    await waitForStatus(server.api, run, "FINISHED");
    const { lines } = await steps.readRun(server.api, run);
    const [, uid, gid] =
      lines.map(({ text }) => /uid=(\d+) gid=(\d+)/.exec(text)).find((found) => found !== null) ?? [];
    const postgres = liveProcesses(dataDir).filter(({ command }) => command.includes("postgres"));
    expect(postgres.length).toBeGreaterThan(0);
    const taken = [0, ...postgres.map(({ pid }) => uidOf(pid))];
    expect(taken).not.toContain(Number(uid));
    expect(Number(gid)).toBe(Number(uid));
    expect(taken.slice(1)).not.toContain(0);
  });
});

it("SIGINT ends a server that has nothing to do as SIGTERM does", async () => {
  const had = liveProcesses(dataDir, server.pid);
  server.child.kill("SIGINT");
  await expectCleanEnd(server, had);
});
