/** Servers and runners that are killed while external checks judge: each check ends, counts once, and comes before what it is about. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { createCheck, resultsOf } from "../support/check-steps.ts";
import { RECOVERY_MS, waitUntil } from "../support/eventually.ts";
import { historyOf, type KilledChecks, sendHalf, startKilledChecks } from "../support/killed-checks.ts";
import { type RunnerProcess, startRunnerProcess } from "../support/runner-process.ts";
import * as steps from "../support/run-steps.ts";
import { answered, report, sendReport } from "../support/run-task-service.ts";
import type { TaskRequest } from "../support/run-task-schemas.ts";
import { freePort, type ServerProcess } from "../support/server-process.ts";

const PATIENCE = { timeout: RECOVERY_MS, interval: 20 };
const STAGES = ["PRE_PLAN", "POST_PLAN", "PRE_APPLY", "POST_APPLY"] as const;
/** A run that every stage has let through: each check has ended before what follows it. */
const JUDGED_ONCE = [
  "QUEUED",
  "PRE_PLAN PASSED",
  "READY",
  "PREPARING",
  "INITIALIZING",
  "PLANNING",
  "POLICY_CHECKING",
  "POST_PLAN PASSED",
  "CONFIRMED",
  "PRE_APPLY PASSED",
  "PREPARING",
  "APPLYING",
  "VERIFYING",
  "POST_APPLY PASSED",
  "FINISHED",
];

let world: KilledChecks;
beforeEach(async () => {
  world = await startKilledChecks();
});
afterEach(() => world[Symbol.asyncDispose]());

const passed = report("passed", { message: "Fine." });
const taken = { status: 200, errors: [] };

async function resultAt(server: ServerProcess, runId: string, stage: string) {
  return (await resultsOf(server.api, runId)).find((result) => result["stage"] === stage);
}

it("kill -9 of the server while the request of a check is unanswered, at each stage", async () => {
  const { service } = world;
  let server = await world.start();
  const workspace = await world.workspace(server.api, "requested");
  await createCheck(server.api, service, { stages: STAGES, selector: { workspaceIds: [workspace] } });
  // The service keeps the first request of each stage without an answer, and accepts the second one.
  const keep = (): void => undefined;
  const accept = answered(200);
  service.answer(keep, accept, keep, accept, keep, accept, keep, accept);
  const runId = await steps.createRun(server.api, workspace);
  for (const stage of STAGES) {
    const interrupted = await service.next();
    expect(interrupted).toMatchObject({ run_id: runId, stage: stage.toLowerCase() });
    await server.killGroup();
    server = await world.start();
    expect(await resultAt(server, runId, stage)).toMatchObject({ status: "PENDING", attempts: 0, round: 1 });
    await world.endLeases();
    const again = await service.next();
    expect(again).toEqual(interrupted);
    // A service that took the request twice answers twice.
    for (const request of [interrupted, again]) expect(await sendReport(server.url, request, passed)).toEqual(taken);
  }
  await waitForStatus(server.api, runId, "FINISHED");
  expect(await historyOf(server.api, runId)).toEqual(JUDGED_ONCE);
  expect(await resultsOf(server.api, runId)).toMatchObject(
    STAGES.map((stage) => ({ stage, status: "PASSED", message: "Fine.", round: 1 })),
  );
  expect(service.requests).toHaveLength(2 * STAGES.length);
  expect(service.refused).toEqual([]);
  expect(await server.stop()).toBe(0);
});

it("kill -9 of the server while it takes the report of a check", async () => {
  const { service, sql } = world;
  let server = await world.start();
  const workspace = await world.workspace(server.api, "reported");
  await createCheck(server.api, service, { stages: STAGES, selector: { workspaceIds: [workspace] } });
  const runId = await steps.createRun(server.api, workspace);
  /** Kills the server in the middle of a report about a stage; returns the request of that stage. */
  const killAt = async (stage: string, during: (request: TaskRequest) => Promise<void>): Promise<TaskRequest> => {
    const request = await service.next();
    expect(request).toMatchObject({ stage: stage.toLowerCase() });
    await waitUntil(async () => (await resultAt(server, runId, stage))?.["status"] === "RUNNING", PATIENCE);
    await during(request);
    server = await world.start();
    return request;
  };

  // With a part of the body.
  const first = await killAt("PRE_PLAN", async (request) => {
    await sendHalf(server, request, passed);
    await server.killGroup();
  });
  expect(await resultAt(server, runId, "PRE_PLAN")).toMatchObject({ status: "RUNNING", message: null });
  expect(await sendReport(server.url, first, passed)).toEqual(taken);

  // With all of it, in its transaction, which waits for the run.
  const second = await killAt("POST_PLAN", async (request) => {
    await sql.query("begin");
    await sql.query("select from run where id = $1 for update", [runId]);
    const lost = sendReport(server.url, request, passed).catch(() => "lost");
    const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await waitUntil(async () => (await sql.query(waits)).rowCount !== 0, PATIENCE);
    await server.killGroup();
    await sql.query("rollback");
    expect(await lost).toBe("lost");
  });
  expect(await resultAt(server, runId, "POST_PLAN")).toMatchObject({ status: "RUNNING", message: null });
  expect(await sendReport(server.url, second, passed)).toEqual(taken);

  // Once it is stored: the service does not learn of it, and repeats it.
  const third = await killAt("PRE_APPLY", async (request) => {
    const sent = sendReport(server.url, request, passed).catch(() => "lost");
    const ended = "select from external_check_result where id = $1 and status = 'PASSED'";
    await waitUntil(async () => (await sql.query(ended, [request.task_result_id])).rowCount !== 0, PATIENCE);
    await server.killGroup();
    await sent;
  });
  expect(await sendReport(server.url, third, passed)).toEqual(taken);
  expect((await sendReport(server.url, third, report("failed"))).status).toBe(422);

  expect(await sendReport(server.url, await service.next(), passed)).toEqual(taken);
  await waitForStatus(server.api, runId, "FINISHED");
  expect(await historyOf(server.api, runId)).toEqual(JUDGED_ONCE);
  // Nothing was asked again.
  expect(service.requests.map(({ stage }) => stage)).toEqual(STAGES.map((stage) => stage.toLowerCase()));
  expect(await server.stop()).toBe(0);
});

it("kill -9 of a check's runner and of its server while the request is unanswered", async () => {
  const { service } = world;
  const port = await freePort();
  let server = await world.start(port);
  // A second plan of one workspace would have no changes, and would not be judged.
  const workspaces = [await world.workspace(server.api, "one"), await world.workspace(server.api, "two")] as const;
  const { poolId, start } = await poolOf(server, new URL(service.url).hostname);
  await using lost = start("lost");
  const offered = "select from runner where checks_at is not null";
  await waitUntil(async () => (await world.sql.query(offered)).rowCount !== 0, PATIENCE);
  // The test of the address goes by the runner as well.
  await createCheck(server.api, service, {
    stages: ["POST_PLAN"],
    viaPoolId: poolId,
    selector: { workspaceIds: workspaces },
  });

  // The runner is killed: another one sends the request again.
  const holds: (() => void)[] = [];
  service.answer((response) => holds.push(() => void response.writeHead(200).end()), answered(200));
  const first = await steps.createRun(server.api, workspaces[0]);
  const interrupted = await service.next();
  expect(interrupted).toMatchObject({ run_id: first, stage: "post_plan" });
  lost.child.kill("SIGKILL");
  await lost.exited;
  await world.endLeases();
  await using runner = start("kept");
  const again = await service.next();
  expect(again).toEqual(interrupted);
  expect(await sendReport(server.url, again, passed)).toEqual(taken);
  await waitForStatus(server.api, first, "FINISHED");
  expect(await resultsOf(server.api, first)).toMatchObject([{ status: "PASSED", round: 1 }]);

  // The server is killed: the runner reports to the next one, and nothing is sent twice.
  service.answer((response) => holds.push(() => void response.writeHead(200).end()));
  const second = await steps.createRun(server.api, workspaces[1]);
  const request = await service.next();
  expect(request).toMatchObject({ run_id: second });
  await server.killGroup();
  holds.at(-1)?.();
  server = await world.start(port);
  await waitUntil(async () => (await resultAt(server, second, "POST_PLAN"))?.["status"] === "RUNNING", PATIENCE);
  expect(await resultAt(server, second, "POST_PLAN")).toMatchObject({ attempts: 1, attemptError: null });
  expect(await sendReport(server.url, request, passed)).toEqual(taken);
  await waitForStatus(server.api, second, "FINISHED");

  for (const runId of [first, second]) {
    const history = await historyOf(server.api, runId);
    expect(history.filter((one) => /^(?:POST_PLAN|APPLYING)/.test(one))).toEqual(["POST_PLAN PASSED", "APPLYING"]);
  }
  expect(service.requests.map((one) => one.run_id)).toEqual([first, first, second]);
  expect(service.refused).toEqual([]);
  runner.child.kill("SIGTERM");
  expect(await runner.exited).toBe(0);
  expect(await server.stop()).toBe(0);
});

/** A pool, and its runners, which reach the service and send requests of checks. */
async function poolOf({ api, url }: ServerProcess, host: string) {
  const organizationId = "org_00000000000000000000000000";
  const create = `mutation ($input: CreateRunnerPoolInput!) { createRunnerPool(input: $input) {
    ... on CreateRunnerPoolSuccess { runnerPool { id } } ... on UserError { message } } }`;
  const input = { organizationId, name: "inside", reserved: true };
  const poolId: string = (await api.ask(create, { input })).createRunnerPool.runnerPool.id;
  const createToken = `mutation ($input: CreateRunnerTokenInput!) { createRunnerToken(input: $input) {
    ... on CreateRunnerTokenSuccess { secret } ... on UserError { message } } }`;
  const { secret } = (await api.ask(createToken, { input: { poolId, name: "rack" } })).createRunnerToken;
  const start = (name: string): RunnerProcess =>
    startRunnerProcess(["--server", url, "--pool", "inside", "--name", name, "--checks", "true"], {
      HOLDPOINT_RUNNER_TOKEN: secret,
      HOLDPOINT_RUNNER_NETWORK_ALLOW: host,
    });
  return { poolId, start };
}
