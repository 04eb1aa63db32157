/** Requests of external checks by way of a runner pool: offered, leased, lost, and reported. */
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateExternalCheck } from "../../../src/domain/external-check/update-external-check.ts";
import { createExternalCheck } from "../../../src/domain/external-check/create-external-check.ts";
import type { CheckRequestAnswer } from "../../../src/ingestion/wire.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { PERMISSIONS, permissionSet } from "../../../src/model/people/permission-set.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import type { Data } from "../../support/api.ts";
import { type CheckRunner, checkRunnerOf, serveTests } from "../../support/check-runner.ts";
import { type CheckWork, createCheck, resultsOf, sendCheckCommand, startCheckWork } from "../../support/check-steps.ts";
import { claimAnswer } from "../../support/fake-runner.ts";
import { addPool, type Pool } from "../../support/fleet.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../../support/run-task-service.ts";
import type { TaskRequest } from "../../support/run-task-schemas.ts";
import { walk } from "../../support/walk.ts";
import { admin } from "../access/sample.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let service: RunTaskService;
let work: CheckWork;
let pool: Pool;
let runner: CheckRunner;
let other: CheckRunner;
let count = 0;
let poolName = "";
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
  poolName = `inside${++count}`;
  pool = await addPool(scene.server, poolName, false);
  runner = checkRunnerOf(scene.server.url, pool.secret, "one");
  other = checkRunnerOf(scene.server.url, pool.secret, "two");
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  expect(service.refused).toEqual([]);
  await scene.rows("delete from check_request");
  await scene.rows(
    "update external_check_result set status = 'CANCELED', due_at = null, finished_at = now() where due_at is not null",
  );
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const seconds = (amount: number): void => scene.server.advance(amount * 1000);
const create = (input: object = {}) =>
  sendCheckCommand(scene.api, "createExternalCheck", {
    organizationId: DEFAULT_ORGANIZATION_ID,
    name: `check ${++count}`,
    url: service.url,
    hmacKey: service.key,
    stages: ["PRE_PLAN"],
    level: "MANDATORY",
    selector: {},
    viaPoolId: pool.id,
    ...input,
  });
const created = (input: object = {}): Promise<string> =>
  serveTests(runner, () => createCheck(scene.api, service, { viaPoolId: pool.id, ...input }));
const missing = (): string =>
  `No runner of the pool ${poolName} sends requests of checks. Start one with HOLDPOINT_RUNNER_CHECKS=true.`;

interface Asked {
  checkId: string;
  runId: string;
}

/** A run that waits for a check of the pool. */
async function ask(input: object = {}): Promise<Asked> {
  const workspaceId = await scene.createWorkspace();
  const checkId = await created({ selector: { workspaceIds: [workspaceId] }, ...input });
  return { checkId, runId: await scene.createRun(workspaceId) };
}

async function resultOf({ runId }: Asked): Promise<Data> {
  const [result] = await resultsOf(scene.api, runId);
  if (result === undefined) throw new Error("The run has no result.");
  return result;
}

async function leased(by: CheckRunner = runner): Promise<CheckRequestAnswer> {
  const request = await by.lease();
  if (request === null) throw new Error("There is no request.");
  return request;
}

const payloadOf = ({ body }: CheckRequestAnswer): TaskRequest => JSON.parse(body);
const isSigned = ({ headers, body }: CheckRequestAnswer): boolean =>
  headers["x-tfc-task-signature"] === createHmac("sha512", service.key).update(body).digest("hex");

describe("creating", () => {
  it("names the pool if it has no runner that sends requests, also if its runners take jobs", async () => {
    await claimAnswer(scene.server.url, pool.secret, randomUUID());
    const message = `cannot be used now. ${missing()}`;
    expect((await create())["issues"]).toEqual([{ path: ["viaPoolId"], message }]);
    expect(service.tests.count).toBe(0);
  });

  it("lets a runner send the test, and shows the pool", async () => {
    const checkId = await created();
    expect(service.tests.count).toBe(1);
    const query = "query ($id: ID!) { node(id: $id) { ... on ExternalCheck { via { id name } } } }";
    expect((await scene.api.ask(query, { id: checkId })).node.via).toMatchObject({ id: pool.id });
    expect(await scene.rows("select 1 from check_request")).toEqual([]);
    const tested = await serveTests(runner, () => sendCheckCommand(scene.api, "testExternalCheck", { checkId }));
    expect(tested).toMatchObject({ ok: true, statusCode: 200 });
  });

  it("keeps address, signature and key of a test from the rows, and the key from the runner", async () => {
    await runner.lease();
    const creating = create();
    const request = await runner.lease({ waitMs: 5000 });
    const [row] = await scene.rows("select r::text as text from check_request r");
    for (const secret of [service.url, service.key, request?.headers["x-tfc-task-signature"] ?? ""]) {
      expect(row?.["text"]).not.toContain(secret);
      expect(row?.["text"]).not.toContain(Buffer.from(secret).toString("hex"));
    }
    expect(JSON.stringify(request)).not.toContain(service.key);
    expect(request === null ? 0 : await runner.report(request, { statusCode: 503 })).toBe(204);
    expect((await creating)["issues"]).toEqual([
      { path: ["url"], message: expect.stringContaining("The service answered with status 503") },
    ]);
  });

  it("says what the runner could not reach", async () => {
    await runner.lease();
    const creating = create();
    const request = await runner.lease({ waitMs: 5000 });
    if (request !== null) await runner.report(request, { statusCode: null, error: "connect ECONNREFUSED" });
    expect((await creating)["issues"]).toEqual([
      { path: ["url"], message: "did not pass its test. connect ECONNREFUSED" },
    ]);
  });

  it.each(
    walk(
      [
        ["viaPoolId", { viaPoolId: "pool_0000000000000000000000000a" }],
        ["viaPoolId", { viaPoolId: "run_0000000000000000000000000a" }],
        ["url", { url: "http://169.254.169.254/latest/" }],
        ["url", { url: "http://[::ffff:100.100.100.200]/" }],
        ["url", { url: "http://[fe80::1]/" }],
        ["url", { url: "http://[fd00:ec2::254]/" }],
      ],
      2,
    ),
  )("refuses %s of %o before anything is sent", async (field, more) => {
    await runner.lease();
    expect((await create(more))["issues"]).toMatchObject([{ path: [field] }]);
    expect(await runner.lease()).toBeNull();
  });

  it("refuses the pool of another organization as one that does not exist", async () => {
    const organizationId = await scene.quick("createOrganization", { slug: `o${++count}`, name: "Other" });
    const theirs = await create({ organizationId });
    const absent = await create({ organizationId, viaPoolId: "pool_0000000000000000000000000a" });
    expect(theirs["issues"]).toEqual(absent["issues"]);
  });

  it("takes the permission to choose runners, as do another pool and another address", async () => {
    const withoutChoice = permissionSet(PERMISSIONS.filter((permission) => permission !== "RUNNER_CHOOSE"));
    const rights = rightsOf([{ permissions: withoutChoice, scope: { type: "installation" } }]);
    const caller = { ...admin, rights };
    const { deps } = scene.server;
    const forbidden = { code: "FORBIDDEN", details: { permission: "RUNNER_CHOOSE" } };
    const input = {
      organizationId: DEFAULT_ORGANIZATION_ID,
      name: "chosen",
      url: service.url,
      hmacKey: null,
      stages: ["PRE_PLAN"],
      level: "MANDATORY",
      onError: "FAIL_CLOSED",
      estimatesCost: false,
      selector: { labels: [], names: [], kinds: null, workspaceIds: [], excludedWorkspaceIds: [] },
      viaPoolId: pool.id,
      progressSeconds: 600,
      totalSeconds: 3600,
    } as const;
    await expect(createExternalCheck(deps, caller, input)).rejects.toMatchObject(forbidden);
    const checkId = await created();
    const next = await addPool(scene.server, `next${++count}`, false);
    for (const change of [{ viaPoolId: next.id }, { url: "http://10.0.0.1/" }]) {
      await expect(updateExternalCheck(deps, caller, { checkId, ...change })).rejects.toMatchObject(forbidden);
    }
    // What leaves the way as it is takes no more than before.
    expect(await updateExternalCheck(deps, caller, { checkId, level: "ADVISORY" })).toMatchObject({
      level: "ADVISORY",
    });
  });
});

describe("a request about a run", () => {
  it("is signed by the server, sent by a runner, and reported to the server", async () => {
    const asked = await ask();
    expect(await work.step()).toBe(1);
    expect(service.requests).toEqual([]);
    const request = await leased();
    expect(isSigned(request)).toBe(true);
    expect(JSON.stringify(request)).not.toContain(service.key);
    expect(request.url).toBe(service.url);
    expect(await runner.deliver(request)).toBe(200);
    expect(await runner.report(request)).toBe(204);
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 1, attemptError: null, message: null });
    expect(await runner.lease()).toBeNull();
    // Taken already: there is nothing to do for a runner that lost the answer.
    expect(await runner.report(request)).toBe(410);
    const [sent] = service.requests;
    if (sent === undefined) throw new Error("The service has no request.");
    expect((await sendReport(scene.server.url, sent, report("passed"))).status).toBe(200);
    expect(await resultOf(asked)).toMatchObject({ status: "PASSED" });
  });

  it("wakes a runner that waits", async () => {
    await ask();
    const waiting = runner.lease({ waitMs: 20_000 });
    await work.step();
    expect(await waiting).not.toBeNull();
  });

  it("says in result and blocker what it waits for, until a runner takes it", async () => {
    const asked = await ask();
    seconds(LIMITS.runnerOfflineMs / 1000 + 1);
    await work.step();
    expect(await resultOf(asked)).toMatchObject({ status: "PENDING", attempts: 0, message: missing() });
    const [blocker] = (await scene.run(asked.runId, "blockers"))["blockers"];
    expect(blocker).toMatchObject({ kind: "CHECK_PENDING", message: expect.stringContaining(missing()) });
    await leased();
    expect(await resultOf(asked)).toMatchObject({ status: "PENDING", message: null });
    const [after] = (await scene.run(asked.runId, "blockers"))["blockers"];
    expect(after["message"]).not.toContain("HOLDPOINT_RUNNER_CHECKS");
  });

  it("that no runner takes ends with the time of the check, and `onError` decides", async () => {
    const asked = await ask({ progressSeconds: 60, totalSeconds: 90, onError: "FAIL_CLOSED" });
    seconds(LIMITS.runnerOfflineMs / 1000 + 1);
    await work.step();
    seconds(29);
    await work.step();
    expect(await resultOf(asked)).toMatchObject({
      status: "TIMED_OUT",
      message: `The check did not end within 90 s. ${missing()}`,
    });
    expect(await runner.lease()).toBeNull();
  });

  it("is taken by one of two runners", async () => {
    await ask();
    await work.step();
    const [one, two] = await Promise.all([runner.lease(), other.lease()]);
    expect([one, two].filter((request) => request !== null)).toHaveLength(1);
  });

  it("is the same for the same attempt to get one", async () => {
    await ask();
    await work.step();
    const leaseId = randomUUID();
    const first = await runner.lease({ leaseId });
    expect(await runner.lease({ leaseId })).toEqual(first);
    expect(first).toMatchObject({ fence: 1 });
  });

  it.each(["a server notes", "another runner notes"] as const)(
    "of a runner that is lost, which %s, is sent again with one token, and counted",
    async (by) => {
      const asked = await ask();
      await work.step();
      const lost = await leased();
      expect(await other.lease()).toBeNull();
      seconds(LIMITS.checkRequestLeaseMs / 1000);
      if (by === "a server notes") {
        await work.step();
        expect(await resultOf(asked)).toMatchObject({
          attempts: 1,
          attemptError: "The runner that had the request did not report its answer.",
        });
        // It was given back, so its late report counts no more.
        expect(await runner.report(lost)).toBe(410);
      }
      const again = await leased(other);
      expect(again.fence).toBeGreaterThan(lost.fence);
      expect(payloadOf(again).access_token).toBe(payloadOf(lost).access_token);
      expect(await runner.report(lost, { statusCode: 500 })).toBe(410);
      expect(await other.report(again)).toBe(204);
      expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 2, attemptError: null });
    },
  );

  it("of five runners that are lost is an error", async () => {
    const asked = await ask();
    await work.step();
    for (let attempt = 0; attempt < 5; attempt++) {
      await leased();
      seconds(LIMITS.checkRequestLeaseMs / 1000);
    }
    expect(await runner.lease()).toBeNull();
    expect(await resultOf(asked)).toMatchObject({ status: "ERRORED", attempts: 5 });
    expect(await scene.rows("select 1 from check_request")).toEqual([]);
  });

  it("that is not accepted is offered again after the pauses of all requests", async () => {
    const asked = await ask();
    await work.step();
    expect(await runner.report(await leased(), { statusCode: 302 })).toBe(204);
    expect(await runner.lease()).toBeNull();
    expect(await resultOf(asked)).toMatchObject({
      attempts: 1,
      attemptError: expect.stringContaining("Redirects are not followed."),
    });
    seconds(5);
    await work.step();
    expect(await runner.report(await leased())).toBe(204);
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 2 });
  });

  it("whose service reports before the runner does is answered once", async () => {
    const asked = await ask();
    await work.step();
    const request = await leased();
    await runner.deliver(request);
    const [sent] = service.requests;
    if (sent === undefined) throw new Error("The service has no request.");
    expect((await sendReport(scene.server.url, sent, report("passed"))).status).toBe(200);
    expect(await runner.report(request, { statusCode: 500 })).toBe(204);
    expect(await resultOf(asked)).toMatchObject({ status: "PASSED" });
    expect(await scene.rows("select 1 from check_request")).toEqual([]);
  });

  it("of an earlier round is not sent, and its report does not count", async () => {
    const asked = await ask();
    await work.step();
    const first = await leased();
    const { id: resultId } = await resultOf(asked);
    await sendCheckCommand(scene.api, "retryExternalCheck", { resultId });
    expect(await runner.report(first, { statusCode: 500 })).toBe(204);
    expect(await resultOf(asked)).toMatchObject({ status: "PENDING", round: 2, attempts: 0 });
    await work.step();
    const second = await leased();
    expect(payloadOf(second).access_token).not.toBe(payloadOf(first).access_token);
  });

  it.each(["deleteExternalCheck", "updateExternalCheck"] as const)("is withdrawn by %s", async (command) => {
    const asked = await ask();
    await work.step();
    const input = { checkId: asked.checkId, ...(command === "updateExternalCheck" && { enabled: false }) };
    await sendCheckCommand(scene.api, command, input);
    expect(await runner.lease()).toBeNull();
    await work.step();
    expect(await resultOf(asked)).toMatchObject({ status: "CANCELED" });
    expect(await scene.rows("select 1 from check_request")).toEqual([]);
  });

  it("is sent by the server once the check has no pool any more", async () => {
    const asked = await ask();
    await work.step();
    const request = await leased();
    const changed = { checkId: asked.checkId, viaPoolId: null };
    expect((await sendCheckCommand(scene.api, "updateExternalCheck", changed))["code"]).toBeUndefined();
    expect(await runner.report(request, { statusCode: 500 })).toBe(410);
    await work.step();
    expect(await resultOf(asked)).toMatchObject({ status: "RUNNING", attempts: 1 });
    expect(service.requests).toHaveLength(1);
  });

  it("is for the runners of its pool alone", async () => {
    await ask();
    await work.step();
    const theirs = checkRunnerOf(
      scene.server.url,
      (await addPool(scene.server, `theirs${++count}`, false)).secret,
      "theirs",
    );
    expect(await theirs.lease()).toBeNull();
    const request = await leased();
    expect(await theirs.report(request)).toBe(410);
    const shared = checkRunnerOf(scene.server.url, scene.server.runnerToken, "shared");
    await expect(shared.lease()).rejects.toThrow("403");
    expect(await shared.report(request)).toBe(403);
    const none = checkRunnerOf(scene.server.url, "hpr_none");
    await expect(none.lease()).rejects.toThrow("401");
    expect(await none.report(request)).toBe(401);
  });

  it.each([
    ["lease", {}],
    ["report", { id: "x", fence: 0, statusCode: 200, error: null }],
    ["report", { id: "x", fence: 1, statusCode: 20_000, error: null }],
    ["report", { id: "x", fence: 1, statusCode: null, error: "e".repeat(301) }],
  ] as const)("is refused to a malformed %s: %o", async (path, body) => {
    expect((await runner.post(path, body)).status).toBe(400);
  });
});

it("a pool is not deleted while a check names it", async () => {
  const checkId = await created({ name: "scanner" });
  const query = `mutation ($input: DeleteRunnerPoolInput!) { deleteRunnerPool(input: $input) { __typename
    ... on InvalidInputError { issues { path message } } } }`;
  const remove = async () => (await scene.api.ask(query, { input: { poolId: pool.id } })).deleteRunnerPool;
  expect((await remove()).issues).toEqual([
    { path: ["poolId"], message: "is used by these external checks; give them another pool first: scanner." },
  ]);
  await sendCheckCommand(scene.api, "deleteExternalCheck", { checkId });
  expect(await remove()).toMatchObject({ __typename: "DeleteRunnerPoolSuccess" });
});
