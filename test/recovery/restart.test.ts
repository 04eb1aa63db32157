/** A server that is killed goes on where it was: nothing lost, nothing twice, nothing left behind. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { Follower } from "../support/follower.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { type LiveProcess, liveProcesses, survivors } from "../support/live-processes.ts";
import * as steps from "../support/run-steps.ts";
import { freePort, makeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { waitUntil } from "../support/eventually.ts";

/** A lease of 30 s has to run out, and two servers share the machine. */

let work: HeldWork;
beforeAll(async () => {
  work = await startHeldWork();
});
afterAll(() => work[Symbol.asyncDispose]());

/** One server that is killed while one run waits at a gate, one plans, and one applies. */
async function startScene(name: string) {
  const dataDir = await makeDataDir();
  const port = await freePort();
  const env = { HOLDPOINT_SOURCE_ROOTS: work.root, TF_VAR_mark: dataDir };
  const start = (): Promise<ServerProcess> => startServerProcess({ dataDir, port, env });
  const server = await start();
  const { api } = server;
  const plan = await work.heldPlan(`${name}-plan`);
  const apply = await work.heldApply(`${name}-apply`);
  const gatePath = await work.source(`${name}-gate`, 'resource "terraform_data" "a" {}');

  const begin = async (part: string, path: string) => {
    const workspace = await steps.createWorkspace(api, `${name}-${part}`, path);
    const run = await steps.createRun(api, workspace);
    const events = new Follower("runEvents", run);
    const log = new Follower("runLog", run);
    const connections = [events.connect(api), log.connect(api)];
    return { workspace, run, events, log, connections };
  };
  const [gate, applying] = await Promise.all([begin("gate", gatePath), begin("apply", apply.path)]);
  await Promise.all([
    waitForStatus(api, gate.run, "AWAITING_PLAN_APPROVAL"),
    steps.approveBoth(api, applying.run),
    applying.log.until(({ lines }) => lines?.some(({ text }: { text: string }) => text.includes("waiting"))),
  ]);
  const planning = await begin("plan", plan.path);
  await plan.reached;
  await planning.events.until(({ to }) => to === "PLANNING");
  return {
    dataDir,
    start,
    server,
    plan,
    apply,
    gate,
    planning,
    applying,
    started: liveProcesses(dataDir, server.pid),
    /** Every follower goes on from its cursor. */
    resume(next: ServerProcess) {
      const all = [gate, planning, applying];
      for (const one of all) one.connections = [one.events.connect(next.api), one.log.connect(next.api)];
    },
  };
}

type Scene = Awaited<ReturnType<typeof startScene>>;

/** The table has no gaps, and a client that was there all the time has been sent exactly the table. */
async function expectExactlyOnce(server: ServerProcess, { run, events, log, connections }: Scene["gate"]) {
  expect(await Promise.all(connections)).toEqual(["completed", "completed"]);
  const record = await steps.readRun(server.api, run);
  expect(record.versions).toEqual(steps.countTo(record.version));
  expect(record.lines.map(({ number }) => number)).toEqual(steps.countTo(record.lines.length));
  // Without a cursor the first item is the run as it was: what came before it is not sent.
  const first = events.items[0]?.run?.version;
  expect(events.versions).toEqual(record.versions.filter((version) => version > first));
  expect(log.lineTexts).toEqual(record.lines.map(({ text }) => text));
  expect(log.lineNumbers).toEqual(record.lines.map(({ number }) => number));
  return record;
}

/** Stops the last server; afterwards nothing of the scene runs any more. */
async function expectNothingLeft({ dataDir, started }: Scene, server: ServerProcess) {
  const last: LiveProcess[] = liveProcesses(dataDir, server.pid);
  expect(await server.stop()).toBe(0);
  expect(survivors([...started, ...last])).toEqual([]);
  expect(liveProcesses(dataDir)).toEqual([]);
  await rm(join(dataDir, ".."), { recursive: true });
}

const FREE = { lock: null, stateLock: null, currentRun: null };

describe("kill -9", { concurrent: true }, () => {
  it("of the server alone", async () => {
    const scene = await startScene("alone");
    const { gate, planning, applying } = scene;
    await scene.server.kill();
    for (const { connections } of [gate, planning, applying]) {
      expect(await Promise.all(connections)).toEqual(["dropped", "dropped"]);
    }
    await using server = await scene.start();
    const { api } = server;
    scene.resume(server);

    // At the gate: the same plan, approved now.
    await steps.approveBoth(api, gate.run);
    // Its runner has outlived the server and tells the next one how the apply ended.
    await scene.apply.release();
    expect(await waitForStatus(api, applying.run, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
    // The plan was handed back, which does not count as an attempt.
    scene.plan.release();
    await steps.approveBoth(api, planning.run);
    for (const { run, workspace } of [gate, planning, applying]) {
      expect(await waitForStatus(api, run, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
      expect(await steps.holdsOf(api, workspace)).toEqual(FREE);
    }
    const planned = await expectExactlyOnce(server, planning);
    const attempt = ["READY", "PREPARING", "INITIALIZING", "PLANNING"];
    expect(planned.statuses.slice(0, 10)).toEqual(["QUEUED", ...attempt, ...attempt, "AWAITING_PLAN_APPROVAL"]);
    await expectExactlyOnce(server, gate);
    expect((await expectExactlyOnce(server, applying)).statuses.filter((to) => to === "APPLYING")).toHaveLength(1);
    // Postgres was ended by the new server, the runner ended by itself once it had nothing more to tell.
    await waitUntil(() => survivors(scene.started).length === 0);
    await expectNothingLeft(scene, server);
  });

  it("of the whole process group", async () => {
    const scene = await startScene("group");
    const { gate, planning, applying } = scene;
    await scene.server.killGroup();
    for (const { connections } of [gate, planning, applying]) {
      expect(await Promise.all(connections)).toEqual(["dropped", "dropped"]);
    }
    await using server = await scene.start();
    const { api } = server;
    scene.resume(server);

    scene.plan.release();
    await steps.approveBoth(api, gate.run);
    await waitForStatus(api, gate.run, "FINISHED");
    // Engines that were left over have been ended before anything new was claimed.
    expect(survivors(scene.started)).toEqual([]);

    // Nobody renews the leases: once they have run out the plan is made again.
    await steps.approveBoth(api, planning.run);
    await waitForStatus(api, planning.run, "FINISHED");
    const planned = await expectExactlyOnce(server, planning);
    expect(planned.statuses.filter((to) => to === "READY")).toHaveLength(2);
    expect(planned.phases.filter(({ kind }) => kind === "PLAN")).toEqual([
      { kind: "PLAN", attempt: 1, status: "LOST" },
      { kind: "PLAN", attempt: 2, status: "PASSED" },
    ]);
    await expectExactlyOnce(server, gate);

    // What the apply has done nobody knows.
    expect((await waitForStatus(api, applying.run, "FAILED")).failure).toMatchObject({
      code: "RUNNER_LOST",
      stage: "APPLY",
      stateUncertain: true,
      retryable: false,
    });
    await expectExactlyOnce(server, applying);
    const { workspace, run } = applying;
    expect(await steps.holdsOf(api, workspace)).toMatchObject({
      lock: { reason: "APPLY_INTERRUPTED", run: { id: run } },
      stateLock: { run: { id: run } },
      currentRun: null,
    });
    const next = await steps.createRun(api, workspace);
    await waitForStatus(api, next, "QUEUED");
    expect(await steps.unlock(api, workspace, false)).toMatchObject({
      __typename: "WorkspaceLockedError",
      lock: { reason: "APPLY_INTERRUPTED", run: { id: run } },
    });
    expect(await steps.unlock(api, workspace, true)).toMatchObject({ workspace: { lock: null, stateLock: null } });
    await waitForStatus(api, next, "AWAITING_PLAN_APPROVAL");
    for (const one of [gate, planning]) expect(await steps.holdsOf(api, one.workspace)).toEqual(FREE);
    const postgresLog = await readFile(join(scene.dataDir, "postgres.log"), "utf8");
    expect(postgresLog).not.toMatch(/PANIC|FATAL:.*corrupt/);
    await expectNothingLeft(scene, server);
  });
});
