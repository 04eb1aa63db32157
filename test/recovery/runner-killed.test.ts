/** The runner alone is killed: the server starts another, which ends what is left of its engines. */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Data, waitForStatus } from "../support/api.ts";
import { createTestDatabase } from "../support/database.ts";
import { Follower } from "../support/follower.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import { type LiveProcess, liveProcesses, survivors } from "../support/live-processes.ts";
import * as steps from "../support/run-steps.ts";
import { makeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { waitUntil } from "../support/eventually.ts";

/** A lease of 30 s has to run out. */

let work: HeldWork;
beforeAll(async () => {
  work = await startHeldWork();
});
afterAll(() => work[Symbol.asyncDispose]());

function runnerOf(server: ServerProcess): LiveProcess {
  const found = liveProcesses(server.dataDir, server.pid).find(({ command }) => command.includes("runner/embedded"));
  if (found === undefined) throw new Error("There is no runner.");
  return found;
}

it("kill -9 of the runner while it plans and applies", async () => {
  await using database = await createTestDatabase();
  const dataDir = await makeDataDir();
  const env = { DATABASE_URL: database.url, HOLDPOINT_SOURCE_ROOTS: work.root, TF_VAR_mark: dataDir };
  await using server = await startServerProcess({ dataDir, env });
  const { api } = server;
  const plan = await work.heldPlan("plan");
  const apply = await work.heldApply("apply");
  const applyWorkspace = await steps.createWorkspace(api, "apply", apply.path);
  const applying = await steps.createRun(api, applyWorkspace);
  const applyLog = new Follower("runLog", applying);
  const applyEnd = applyLog.connect(api);
  await steps.approveBoth(api, applying);
  await applyLog.until(({ lines }) => lines?.some(({ text }: Data) => text.includes("waiting")));
  const planWorkspace = await steps.createWorkspace(api, "plan", plan.path);
  const planning = await steps.createRun(api, planWorkspace);
  const events = new Follower("runEvents", planning);
  const eventsEnd = events.connect(api);
  await plan.reached;
  await events.until(({ to }) => to === "PLANNING");

  const runner = runnerOf(server);
  const engines = liveProcesses(dataDir).filter(({ pid }) => ![server.pid, runner.pid].includes(pid));
  expect(engines.map(({ command }) => command).join()).toMatch(
    /terraform .*plan[\s\S]*terraform .*apply|apply[\s\S]*plan/,
  );
  process.kill(runner.pid, "SIGKILL");
  // Before anything new is claimed, and long before the leases run out.
  await waitUntil(() => survivors([runner, ...engines]).length === 0);
  await waitUntil(() => server.output().split("The runner is ready").length === 3);
  expect((await steps.readRun(api, planning)).statuses.at(-1)).toBe("PLANNING");
  const between = await steps.createWorkspace(api, "between", await work.source("between", 'output "a" { value = 1 }'));
  await waitForStatus(api, await steps.createRun(api, between), "AWAITING_PLAN_APPROVAL");

  // The plan is made again once its lease has run out; of the apply nobody knows what it has done.
  plan.release();
  await steps.approveBoth(api, planning);
  expect(await waitForStatus(api, planning, "FINISHED")).toMatchObject({ outcome: "APPLIED" });
  expect((await waitForStatus(api, applying, "FAILED")).failure).toMatchObject({
    code: "RUNNER_LOST",
    stage: "APPLY",
    stateUncertain: true,
  });
  expect([await eventsEnd, await applyEnd]).toEqual(["completed", "completed"]);
  const record = await steps.readRun(api, planning);
  expect(record.phases.filter(({ kind }) => kind === "PLAN")).toEqual([
    { kind: "PLAN", attempt: 1, status: "LOST" },
    { kind: "PLAN", attempt: 2, status: "PASSED" },
  ]);
  expect(events.versions).toEqual(record.versions.filter((version) => version > events.items[0].run.version));
  expect(await steps.holdsOf(api, planWorkspace)).toEqual({ lock: null, stateLock: null, currentRun: null });
  expect(await steps.holdsOf(api, applyWorkspace)).toMatchObject({
    lock: { reason: "APPLY_INTERRUPTED", run: { id: applying } },
    currentRun: null,
  });
  expect(await server.stop()).toBe(0);
  expect(liveProcesses(dataDir)).toEqual([]);
  await rm(dirname(dataDir), { recursive: true });
});
