/** A server that is killed while its request to an external check is in progress: the request is made again, and the run goes on once. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForStatus } from "../support/api.ts";
import { createCheck, resultsOf } from "../support/check-steps.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type HeldWork, startHeldWork } from "../support/held-work.ts";
import * as steps from "../support/run-steps.ts";
import { answered, report, type RunTaskService, sendReport, startRunTaskService } from "../support/run-task-service.ts";
import { makeDataDir, removeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";

const LIMIT_MS = 120_000;

let work: HeldWork;
let database: TestDatabase;
let dataDir: string;
let service: RunTaskService;
beforeAll(async () => {
  [work, database, dataDir, service] = await Promise.all([
    startHeldWork(),
    createTestDatabase(),
    makeDataDir(),
    startRunTaskService(),
  ]);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
  await removeDataDir(dataDir);
  await database[Symbol.asyncDispose]();
});

const start = (): Promise<ServerProcess> =>
  startServerProcess({
    dataDir,
    env: {
      DATABASE_URL: database.url,
      HOLDPOINT_SOURCE_ROOTS: work.root,
      HOLDPOINT_PUBLIC_URL: "http://localhost",
      HOLDPOINT_WEBHOOK_ALLOW: new URL(service.url).host,
    },
  });

it("kill -9 while the request of a check is unanswered", { timeout: LIMIT_MS }, async () => {
  const first = await start();
  const workspace = await steps.createWorkspaceOf(first.api, {
    name: "checked",
    source: { directory: { path: await work.source("checked", 'resource "terraform_data" "a" {}') } },
    planApproval: "WHEN_REQUIRED",
    autoApply: "ALWAYS",
  });
  const checkId = await createCheck(first.api, service, { selector: { workspaceIds: [workspace] } });
  // The service keeps the first request without an answer, and accepts the others.
  service.answer(() => undefined, answered(200));
  const runId = await steps.createRun(first.api, workspace);
  const interrupted = await service.next();
  expect(interrupted).toMatchObject({ run_id: runId, stage: "pre_plan" });
  await first.killGroup();

  const second = await start();
  expect(await resultsOf(second.api, runId)).toMatchObject([{ status: "PENDING", attempts: 0, round: 1 }]);
  // The killed server has the result for a minute, which the test does not wait for.
  const client = new Client(database.connection);
  await client.connect();
  await client.query("update external_check_result set lease_until = now() where check_id = $1", [checkId]);
  await client.end();
  const again = await service.next();
  expect(again).toEqual(interrupted);

  // A service that took the request twice answers twice.
  const passed = report("passed", { message: "Fine." });
  for (const request of [interrupted, again]) {
    expect(await sendReport(second.url, request, passed)).toEqual({ status: 200, errors: [] });
  }
  await waitForStatus(second.api, runId, "FINISHED");
  const { statuses } = await steps.readRun(second.api, runId);
  for (const status of ["PLANNING", "APPLYING", "FINISHED"]) {
    expect(
      statuses.filter((one) => one === status),
      status,
    ).toHaveLength(1);
  }
  expect(await resultsOf(second.api, runId)).toMatchObject([{ status: "PASSED", message: "Fine.", round: 1 }]);
  expect(service).toMatchObject({ requests: { length: 2 }, refused: [] });
  expect(await second.stop()).toBe(0);
});
