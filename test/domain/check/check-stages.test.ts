/** Runs that wait for external checks at their four stages, by the API, real rows and a service of the protocol. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ringAlarms } from "../../../src/domain/lease/ring-alarms.ts";
import { concludeJudgement } from "../../../src/domain/judgement/conclude.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import type { Data } from "../../support/api.ts";
import { type CheckWork, createCheck, resultsOf, sendCheckCommand, startCheckWork } from "../../support/check-steps.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../../support/run-task-service.ts";
import { walk } from "../../support/walk.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let service: RunTaskService;
let work: CheckWork;
let name: string;
let count = 0;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
beforeEach(async () => {
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
  name = `checked-${++count}`;
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  expect(service.refused).toEqual([]);
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

/** A check of the workspaces of this test. */
const check = (stages: string[], level = "MANDATORY", more: object = {}): Promise<string> =>
  createCheck(scene.api, service, { stages, level, selector: { names: [name] }, ...more });
const workspace = (more: object = {}): Promise<string> => scene.createWorkspace({ name, ...more });
const conclude = (runId: string): Promise<boolean> => concludeJudgement(scene.server.deps, runId);
const statusOf = async (runId: string): Promise<string> => (await scene.run(runId, "status"))["status"];
const blockersOf = async (runId: string): Promise<string[]> =>
  (await scene.run(runId, "blockers"))["blockers"].map(({ kind }: Data) => kind);

/** Makes the requests that are due; each gets this report. */
async function answer(status: "passed" | "failed", more: { message?: string } = {}): Promise<void> {
  const from = service.requests.length;
  await work.step();
  for (const request of service.requests.slice(from)) {
    expect(await sendReport(scene.server.url, request, report(status, more))).toEqual({ status: 200, errors: [] });
  }
}

async function planned(more: object = {}): Promise<string> {
  const runId = await scene.createRun(await workspace(more));
  await (await scene.claim(runId)).plan();
  return runId;
}

describe("PRE_PLAN", () => {
  it("holds the run back until the check has passed", async () => {
    await check(["PRE_PLAN"]);
    const runId = await scene.createRun(await workspace());
    expect([await statusOf(runId), await blockersOf(runId)]).toEqual(["QUEUED", ["CHECK_PENDING"]]);
    await work.step();
    expect(await conclude(runId)).toBe(false);
    const [request] = service.requests;
    if (request === undefined) throw new Error("The service has no request.");
    await sendReport(scene.server.url, request, report("passed"));
    expect(await conclude(runId)).toBe(true);
    expect([await statusOf(runId), await blockersOf(runId)]).toEqual([
      "READY",
      expect.not.arrayContaining(["CHECK_PENDING"]),
    ]);
  });

  it("rejects the run for a MANDATORY failure, with the words of the check", async () => {
    await check(["PRE_PLAN"], "MANDATORY", { name: "licences" });
    const runId = await scene.createRun(await workspace());
    await answer("failed", { message: "No licence for this module" });
    await conclude(runId);
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "REJECTED", failure: { code: "POLICY_DENIED" } });
    expect(JSON.stringify(run["failure"])).toContain("licences");
  });

  it("lets people decide about a SOFT_MANDATORY failure at the plan gate", async () => {
    await check(["PRE_PLAN"], "SOFT_MANDATORY");
    const runId = await scene.createRun(await workspace());
    await answer("failed");
    await conclude(runId);
    expect(await statusOf(runId)).toBe("READY");
    await (await scene.claim(runId)).plan();
    await conclude(runId);
    expect(await scene.run(runId, "status", "requiredAction")).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      requiredAction: "OVERRIDE_POLICY",
    });
    expect(service.requests).toHaveLength(1);
    const [{ id }] = await resultsOf(scene.api, runId);
    const input = { runId, planVersion: 1, resultIds: [id], comment: "Known, and accepted." };
    const query = `mutation ($input: OverridePoliciesInput!) { overridePolicies(input: $input) { __typename
      ... on UserError { message } ... on OverridePoliciesSuccess { run { status } } } }`;
    const own = (await scene.api.ask(query, { input })).overridePolicies;
    expect(own.__typename).toBe("ForbiddenError");
    const approver = await scene.person("APPROVER");
    expect((await approver.ask(query, { input })).overridePolicies).toMatchObject({
      __typename: "OverridePoliciesSuccess",
    });
  });

  it("of a task rejects it instead: a task has no plan gate", async () => {
    await check(["PRE_PLAN"], "SOFT_MANDATORY");
    const workspaceId = await workspace({ tasksAllowed: true });
    const runId = await scene.createRun(workspaceId, { kind: "TASK", command: "true" });
    await answer("failed");
    await conclude(runId);
    expect(await statusOf(runId)).toBe("REJECTED");
  });

  it("ends with a run that is canceled", async () => {
    await check(["PRE_PLAN"]);
    const runId = await scene.createRun(await workspace());
    await work.step();
    await scene.quick("cancelRun", { runId });
    expect(await resultsOf(scene.api, runId)).toMatchObject([{ status: "CANCELED" }]);
    const [request] = service.requests;
    if (request === undefined) throw new Error("The service has no request.");
    expect((await sendReport(scene.server.url, request, report("passed"))).status).toBe(401);
  });
});

describe("POST_PLAN", () => {
  it("is asked in POLICY_CHECKING, and the run goes to its gate once all checks have passed", async () => {
    await check(["POST_PLAN"]);
    await check(["POST_PLAN"], "ADVISORY");
    const runId = await planned();
    expect(await statusOf(runId)).toBe("POLICY_CHECKING");
    await answer("passed");
    expect(service.requests.map(({ stage }) => stage)).toEqual(["post_plan", "post_plan"]);
    await conclude(runId);
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
    expect(await resultsOf(scene.api, runId)).toMatchObject([{ status: "PASSED" }, { status: "PASSED" }]);
  });

  it.each(
    walk(
      [
        ["MANDATORY", "REJECTED", null],
        ["SOFT_MANDATORY", "AWAITING_PLAN_APPROVAL", "OVERRIDE_POLICY"],
        ["ADVISORY", "AWAITING_PLAN_APPROVAL", "REVIEW_PLAN"],
      ],
      1,
    ),
  )("a failure of level %s brings the run to %s", async (level, status, action) => {
    await check(["POST_PLAN"], level);
    const runId = await planned();
    await answer("failed");
    await conclude(runId);
    const run = await scene.run(runId);
    expect(run["status"]).toBe(status);
    if (action !== null) expect(run["requiredAction"]).toBe(action);
  });

  it.each(
    walk(
      [
        ["FAIL_CLOSED", "REJECTED"],
        ["ASK", "AWAITING_PLAN_APPROVAL"],
        ["FAIL_OPEN", "AWAITING_PLAN_APPROVAL"],
      ],
      1,
    ),
  )("silence of a MANDATORY check counts by its mode %s", async (onError, status) => {
    await check(["POST_PLAN"], "MANDATORY", { onError });
    const runId = await planned();
    await work.step();
    scene.server.advance(600_000);
    await work.step();
    expect(await resultsOf(scene.api, runId)).toMatchObject([{ status: "TIMED_OUT" }]);
    await conclude(runId);
    expect(await statusOf(runId)).toBe(status);
  });

  it("is waited for beyond the limit of plans, as long as the check has time", async () => {
    const hours = 3600;
    await check(["POST_PLAN"], "MANDATORY", { progressSeconds: 3 * hours, totalSeconds: 3 * hours });
    const runId = await planned();
    await work.step();
    for (const passed of [2.5, 0.49]) {
      scene.server.advance(passed * hours * 1000);
      await ringAlarms(scene.server.deps, null);
      expect(await statusOf(runId)).toBe("POLICY_CHECKING");
    }
    const [request] = service.requests;
    if (request === undefined) throw new Error("There was no request.");
    expect((await sendReport(scene.server.url, request, report("passed"))).status).toBe(200);
    await conclude(runId);
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("does not judge a plan without changes", async () => {
    await check(["POST_PLAN"]);
    const runId = await scene.createRun(await workspace());
    const counts = { ...fakePlan().counts, additions: 0 };
    await (await scene.claim(runId)).plan({ hasChanges: false, resourceChanges: [], outputChanges: [], counts });
    expect(await statusOf(runId)).toBe("FINISHED");
    expect(await resultsOf(scene.api, runId)).toEqual([]);
  });

  it("of a check that was deleted meanwhile is not waited for", async () => {
    const checkId = await check(["POST_PLAN"]);
    const runId = await planned();
    await work.step();
    await sendCheckCommand(scene.api, "deleteExternalCheck", { checkId });
    await work.step();
    await conclude(runId);
    expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("reports what becomes of a result as events of the run", async () => {
    await check(["POST_PLAN"]);
    const runId = await planned();
    await answer("passed");
    const query = `query ($id: ID!) { run(id: $id) { events(last: 20) { edges { node {
      ... on CheckChanged { to result { id status } } } } } } }`;
    const { run } = await scene.api.ask(query, { id: runId });
    const changes = run.events.edges.flatMap(({ node }: Data) => (node["to"] === undefined ? [] : [node["to"]]));
    expect(changes).toEqual(["RUNNING", "PASSED"]);
  });
});

describe("PRE_APPLY", () => {
  async function approved(): Promise<string> {
    const runId = await planned();
    await conclude(runId);
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    return runId;
  }

  it("holds the approved run back, and no runner gets it before", async () => {
    await check(["PRE_APPLY"]);
    const runId = await approved();
    expect([await statusOf(runId), await blockersOf(runId)]).toEqual(["CONFIRMED", ["CHECK_PENDING"]]);
    // How long a service takes is up to it.
    const query = "query ($id: ID!) { run(id: $id) { blockers { until } } }";
    expect((await scene.api.ask(query, { id: runId })).run.blockers).toEqual([{ until: null }]);
    await expect(scene.claim(runId)).rejects.toThrow("is not to be claimed");
    await answer("passed");
    await conclude(runId);
    await (await scene.claim(runId)).apply(0, "line");
    expect(await statusOf(runId)).toBe("FINISHED");
  });

  it.each(["MANDATORY", "SOFT_MANDATORY"])("a failure of level %s rejects the run: no gate follows", async (level) => {
    await check(["PRE_APPLY"], level);
    const runId = await approved();
    await answer("failed");
    await conclude(runId);
    expect(await statusOf(runId)).toBe("REJECTED");
  });

  it("asks a check that is new since the plan was judged", async () => {
    const runId = await planned();
    await check(["POST_PLAN"]);
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    expect(await blockersOf(runId)).toEqual(["CHECK_PENDING"]);
    await answer("passed");
    expect(service.requests.map(({ stage }) => stage)).toEqual(["pre_apply"]);
    await conclude(runId);
    expect(await blockersOf(runId)).not.toContain("CHECK_PENDING");
  });
});

describe("POST_APPLY", () => {
  it("that advises is recorded on the finished run, which it cannot fail", async () => {
    await check(["POST_APPLY"], "ADVISORY");
    const runId = await planned();
    for (const gate of ["PLAN", "APPLY"]) await scene.quick("approveRun", { runId, gate, planVersion: 1 });
    await (await scene.claim(runId)).apply(0, "line");
    expect(await statusOf(runId)).toBe("FINISHED");
    await answer("failed", { message: "drifted" });
    expect(service.requests.map(({ stage }) => stage)).toEqual(["post_apply"]);
    expect(await resultsOf(scene.api, runId)).toMatchObject([
      { stage: "POST_APPLY", status: "FAILED", message: "drifted" },
    ]);
    expect(await statusOf(runId)).toBe("FINISHED");
  });
});

it("a check after the apply is asked of no run that applied nothing", async () => {
  await check(["POST_APPLY"], "ADVISORY");
  const workspaceId = await workspace();
  const discarded = await scene.createRun(workspaceId);
  await (await scene.claim(discarded)).plan();
  await scene.quick("discardRun", { runId: discarded });
  const unchanged = await scene.createRun(workspaceId);
  const counts = { ...fakePlan().counts, additions: 0 };
  await (await scene.claim(unchanged)).plan({ hasChanges: false, resourceChanges: [], outputChanges: [], counts });
  for (const runId of [discarded, unchanged]) expect(await resultsOf(scene.api, runId)).toEqual([]);
});

it("a run of a workspace that no check selects waits for nothing", async () => {
  await check(["PRE_PLAN", "POST_PLAN", "PRE_APPLY"], "MANDATORY", { selector: { names: ["another"] } });
  const runId = await planned();
  expect(await statusOf(runId)).toBe("AWAITING_PLAN_APPROVAL");
  expect(await resultsOf(scene.api, runId)).toEqual([]);
});
