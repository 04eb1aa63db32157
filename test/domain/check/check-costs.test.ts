/** Costs that a service of the protocol reports: what policies, approval rules and readers of the plan see of them. */
import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { JUDGEMENT_LIMITS } from "../../../src/model/policy/judgement-limits.ts";
import type { Data } from "../../support/api.ts";
import { type CheckWork, createCheck, resultsOf, sendCheckCommand, startCheckWork } from "../../support/check-steps.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import { attach, evaluationsOf, judgeAll, planWithDocument, statusOf } from "../../support/judged-runs.ts";
import { infracost, packDocument, SMALL_PLAN } from "../../support/plan-documents.ts";
import { report, type RunTaskService, sendReport, startRunTaskService } from "../../support/run-task-service.ts";
import { openScene, type Scene } from "../scene.ts";

const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
const DEAR = { name: "dear", when: "cost == null || double(cost.monthlyDelta) > 100.0", message: "{{cost}}" };
const COST_RULE = { name: "cost", gate: "APPLY", when: { monthlyCostDeltaOver: 100 } };

let scene: Scene;
let service: RunTaskService;
let work: CheckWork;
beforeAll(async () => {
  scene = await openScene(1000);
});
beforeEach(async () => {
  service = await startRunTaskService();
  work = startCheckWork(scene.server.deps);
});
afterEach(async () => {
  await work[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  expect(service.refused).toEqual([]);
  await scene.rows("update external_check set deleted_at = now() where deleted_at is null");
  expect(scene.server.reported.splice(0)).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

const estimate = (delta: number): object => infracost("60", String(60 + delta), String(delta));
const outcome = (body: string): object => ({ "outcome-id": "infracost.json", description: "The cost", body });
const costs = (delta: number): object => outcome(JSON.stringify(estimate(delta)));

/** A workspace with a check that estimates costs. */
async function workspace(more: object = {}, check: object = {}): Promise<string> {
  const workspaceId = await scene.createWorkspace({ ...EAGER, ...more });
  const selector = { workspaceIds: [workspaceId] };
  await createCheck(scene.api, service, { stages: ["POST_PLAN"], estimatesCost: true, selector, ...check });
  return workspaceId;
}

async function plan(workspaceId: string, content: object = {}): Promise<string> {
  const runId = await scene.createRun(workspaceId);
  const answer = await planWithDocument(await scene.claim(runId), content);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return runId;
}

/** Sends the requests that are due, and reports the same about each. */
async function answer(outcomes: object[], status: "passed" | "failed" = "passed"): Promise<number[]> {
  const from = service.requests.length;
  await work.step();
  const sent = [];
  for (const request of service.requests.slice(from)) {
    sent.push((await sendReport(scene.server.url, request, report(status, { outcomes }))).status);
  }
  return sent;
}

async function costOf(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { plan { cost { currency monthlyBefore monthlyAfter monthlyDelta source unsupported
    resources { address monthlyAfter } } } } }`;
  return (await scene.api.ask(query, { id: runId })).run.plan.cost;
}

async function needsOf(runId: string): Promise<Data[]> {
  const query = "query ($id: ID!) { run(id: $id) { approvalRequirements { stage reason } } }";
  return (await scene.api.ask(query, { id: runId })).run.approvalRequirements;
}

describe("policies about a plan", () => {
  it.each([
    ["below the limit", 40, "CONFIRMED"],
    ["over the limit", 400, "REJECTED"],
  ])("wait for the cost that a service reports, and see it: %s", async (_name, delta, status) => {
    const workspaceId = await workspace();
    await attach(scene, workspaceId, [DEAR]);
    const runId = await plan(workspaceId);
    await work.step();
    // The service has the request and has not answered: no server takes the policy.
    await judgeAll(scene);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "PENDING", attempt: 0 }]);
    const [request] = service.requests;
    if (request === undefined) throw new Error("The service has no request.");
    const sent = report("passed", { outcomes: [costs(delta)] });
    expect(await sendReport(scene.server.url, request, sent)).toEqual({ status: 200, errors: [] });
    expect(await statusOf(scene, runId)).toBe("POLICY_CHECKING");
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe(status);
    expect(await costOf(runId)).toEqual({
      currency: "EUR",
      monthlyBefore: "60.00",
      monthlyAfter: `${60 + delta}.00`,
      monthlyDelta: `${delta}.00`,
      source: "infracost",
      unsupported: 3,
      resources: [{ address: "aws_instance.web", monthlyAfter: `${60 + delta}.00` }],
    });
  });

  it("are judged without a cost once the check has failed to give one", async () => {
    const workspaceId = await workspace({}, { level: "ADVISORY", progressSeconds: 60, totalSeconds: 60 });
    await attach(scene, workspaceId, [DEAR]);
    const runId = await plan(workspaceId);
    await work.step();
    scene.server.advance(60_000);
    await work.step();
    expect(await resultsOf(scene.api, runId)).toMatchObject([{ status: "TIMED_OUT" }]);
    await judgeAll(scene);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "FAILED" }]);
    expect(await costOf(runId)).toBeNull();
  });

  it("have their own time after a check that took longer than it", async () => {
    const workspaceId = await workspace({}, { progressSeconds: 3000, totalSeconds: 3000 });
    await attach(scene, workspaceId, [DEAR]);
    const runId = await plan(workspaceId);
    await work.step();
    scene.server.advance(JUDGEMENT_LIMITS.waitMs * 2);
    const [request] = service.requests;
    if (request === undefined) throw new Error("The service has no request.");
    await sendReport(scene.server.url, request, report("passed", { outcomes: [costs(1)] }));
    await judgeAll(scene);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "PASSED", error: null }]);
  });

  it("do not wait for a check that estimates nothing, whose outcome of that id is no cost", async () => {
    const workspaceId = await workspace({}, { estimatesCost: false });
    await attach(scene, workspaceId, [DEAR]);
    const runId = await plan(workspaceId);
    await judgeAll(scene);
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ status: "FAILED" }]);
    expect(await answer([outcome("# The costs")])).toEqual([200]);
    expect(await costOf(runId)).toBeNull();
  });

  it("see the estimate of a new check before the apply as well", async () => {
    const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED", autoApply: "NEVER" });
    await attach(scene, workspaceId, [{ ...DEAR, point: "PRE_APPLY" }]);
    const runId = await plan(workspaceId);
    await judgeAll(scene);
    const selector = { workspaceIds: [workspaceId] };
    await createCheck(scene.api, service, { stages: ["POST_PLAN"], estimatesCost: true, selector });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    expect(await answer([costs(40)])).toEqual([200]);
    await judgeAll(scene);
    expect((await scene.run(runId, "blockers"))["blockers"]).not.toContainEqual(
      expect.objectContaining({ kind: "CHECK_PENDING" }),
    );
    expect(await evaluationsOf(scene, runId)).toMatchObject([{ point: "PRE_APPLY", status: "PASSED" }]);
  });
});

describe("an approval rule about the cost", () => {
  it("does not hold a plan whose cost is reported as low, although it was not known before", async () => {
    const runId = await plan(await workspace({ approvalRules: [COST_RULE] }));
    expect(await needsOf(runId)).toEqual([]);
    expect(await answer([costs(40)])).toEqual([200]);
    await judgeAll(scene);
    expect([await statusOf(scene, runId), await needsOf(runId)]).toEqual(["CONFIRMED", []]);
  });

  it("holds a plan whose cost is reported as high, beside what policies ask for", async () => {
    const workspaceId = await workspace({ approvalRules: [COST_RULE] });
    await attach(scene, workspaceId, [{ name: "ask", level: "SOFT_MANDATORY" }]);
    const runId = await plan(workspaceId);
    await answer([costs(400)]);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("AWAITING_PLAN_APPROVAL");
    const needs = await needsOf(runId);
    expect(needs).toHaveLength(2);
    expect(needs).toContainEqual({
      stage: "cost",
      reason: "The plan raises the monthly cost by 400, which is more than 100.",
    });
  });

  it("holds a plan whose cost no check has given", async () => {
    const runId = await plan(await workspace({ approvalRules: [COST_RULE] }));
    await answer([]);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    expect(await needsOf(runId)).toMatchObject([{ stage: "cost", reason: "The cost of the plan is not known." }]);
  });
});

describe("of several estimates", () => {
  /** A plan whose hook has estimated 5. */
  async function planOfHook(workspaceId: string, targets: string[] = []): Promise<string> {
    const runId = await scene.createRun(workspaceId, { targets });
    const job = await scene.claim(runId);
    for (const type of ["prepared", "initialized"] as const) await job.message({ type });
    await job.request("PUT", "archive", Buffer.from("archive"));
    await job.request("PUT", "document", packDocument({ plan: SMALL_PLAN, custom: { infracost: estimate(5) } }));
    await job.message({ type: "planned", plan: fakePlan({ stateSerial: job.job.stateSerial }) });
    return runId;
  }

  it("that of a check replaces that of a hook, and the largest of all checks counts, in any order", async () => {
    const workspaceId = await workspace();
    await createCheck(scene.api, service, {
      stages: ["POST_PLAN"],
      estimatesCost: true,
      selector: { workspaceIds: [workspaceId] },
    });
    const deltas = { rising: [-10, 400], falling: [400, -10] };
    for (const [first = 0, second = 0] of Object.values(deltas)) {
      const runId = await planOfHook(workspaceId);
      expect(await costOf(runId)).toMatchObject({ monthlyDelta: "5.00" });
      const from = service.requests.length;
      await work.step();
      const [one, other] = service.requests.slice(from);
      if (one === undefined || other === undefined) throw new Error("Not both checks were asked.");
      await sendReport(scene.server.url, one, report("passed", { outcomes: [costs(first)] }));
      expect(await costOf(runId)).toMatchObject({ monthlyDelta: `${first}.00` });
      await sendReport(scene.server.url, other, report("passed", { outcomes: [costs(second)] }));
      expect(await costOf(runId)).toMatchObject({ monthlyDelta: "400.00" });
      await scene.quick("cancelRun", { runId });
    }
  });

  it("a check that is asked again takes its former one back", async () => {
    const workspaceId = await workspace({}, { level: "SOFT_MANDATORY" });
    const runId = await planOfHook(workspaceId);
    await answer([costs(400)], "failed");
    const [{ id: resultId }] = await resultsOf(scene.api, runId);
    const asked = await sendCheckCommand(scene.api, "retryExternalCheck", { resultId });
    expect(asked["__typename"]).toBe("RetryExternalCheckSuccess");
    expect(await costOf(runId)).toMatchObject({ monthlyDelta: "5.00" });
  });

  it("none counts for a plan with targets", async () => {
    const runId = await planOfHook(await workspace(), ["terraform_data.a"]);
    expect(await answer([costs(400)])).toEqual([200]);
    expect(await costOf(runId)).toBeNull();
  });
});

describe("an estimate", () => {
  it("may be a block of code of Markdown", async () => {
    const runId = await plan(await workspace());
    expect(await answer([outcome(`\`\`\`json\n${JSON.stringify(estimate(7), null, 2)}\n\`\`\`\n`)])).toEqual([200]);
    expect(await costOf(runId)).toMatchObject({ monthlyDelta: "7.00" });
  });

  it("is reported as docs/checks.md shows it", async () => {
    const section = (await readFile("docs/checks.md", "utf8")).split("\n## Costs\n")[1] ?? "";
    const [, example = ""] = /```json\n([^]*?)```/.exec(section) ?? [];
    const runId = await plan(await workspace());
    await work.step();
    const [request] = service.requests;
    if (request === undefined) throw new Error("The service has no request.");
    expect(await sendReport(scene.server.url, request, example)).toEqual({ status: 200, errors: [] });
    expect(await costOf(runId)).toMatchObject({ currency: "EUR", monthlyDelta: "40.00" });
  });

  it.each([
    ["no JSON", "# 40 EUR more"],
    ["no JSON of Infracost", '{"projects":[]}'],
    ["an amount that is no number", '{"projects":[{"breakdown":{"totalMonthlyCost":"a lot"}}]}'],
  ])("that is %s is refused with its place, and the result stays open", async (_name, body) => {
    const runId = await plan(await workspace());
    await work.step();
    const [request] = service.requests;
    if (request === undefined) throw new Error("The service has no request.");
    const other = { "outcome-id": "other", description: "Another one" };
    const sent = report("passed", { outcomes: [other, outcome(body)] });
    const { status, errors } = await sendReport(scene.server.url, request, sent);
    expect(status).toBe(422);
    expect(errors[0]?.title).toContain("/data/relationships/outcomes/data/1/attributes/body");
    expect(errors[0]?.title).toContain("infracost breakdown");
    expect(await resultsOf(scene.api, runId)).toMatchObject([{ status: "RUNNING", outcomes: [] }]);
  });
});

describe("the setting", () => {
  it("needs the stage at which policies wait, when it is made and when it changes", async () => {
    const issue = { path: ["estimatesCost"], message: expect.stringContaining("POST_PLAN") };
    const input = { organizationId: "org_00000000000000000000000000", name: "costs", url: service.url };
    const more = { hmacKey: service.key, level: "ADVISORY", selector: {} };
    const made = await sendCheckCommand(scene.api, "createExternalCheck", {
      ...input,
      ...more,
      stages: ["PRE_PLAN"],
      estimatesCost: true,
    });
    expect(made["issues"]).toEqual([issue]);
    const checkId = await createCheck(scene.api, service, { stages: ["POST_PLAN"], estimatesCost: true });
    const changed = await sendCheckCommand(scene.api, "updateExternalCheck", { checkId, stages: ["PRE_APPLY"] });
    expect(changed["issues"]).toEqual([issue]);
    const off = await sendCheckCommand(scene.api, "updateExternalCheck", {
      checkId,
      stages: ["PRE_APPLY"],
      estimatesCost: false,
    });
    expect(off["externalCheck"]).toMatchObject({ estimatesCost: false, stages: ["PRE_APPLY"] });
  });
});
