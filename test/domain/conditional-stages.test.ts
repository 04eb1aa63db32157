/** Approval rules with a condition, through the API: whom they stop, when they are decided, and what they refuse. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { PlanContent } from "../../src/model/plan/plan.ts";
import type { Api, Data } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { EVERY_PART, openScene, type Scene } from "./scene.ts";

let scene: Scene;
let ann: Api & { actorId: string };
beforeAll(async () => {
  scene = await openScene();
  ann = await scene.person("APPROVER");
  await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };

async function needs(runId: string): Promise<Data[]> {
  const query =
    "query ($id: ID!) { run(id: $id) { status approvalRequirements { gate stage source reason current minimum } } }";
  return (await scene.api.ask(query, { id: runId })).run.approvalRequirements;
}
const status = async (runId: string): Promise<string> => (await scene.run(runId, "status")).status;

function counts(changes: Partial<PlanContent["counts"]>): PlanContent["counts"] {
  return { ...fakePlan().counts, ...changes };
}

/** Plans a run of a workspace with these rules. */
async function plannedRun(approvalRules: object[], plan: Partial<PlanContent>, workspace: object = EAGER) {
  const workspaceId = await scene.createWorkspace({ ...workspace, approvalRules });
  const runId = await scene.createRun(workspaceId);
  const job = await scene.claim(runId);
  const answer = await job.plan(plan);
  return { workspaceId, runId, job, answer };
}

const destructive = { name: "destructive", gate: "APPLY", when: { minDestructions: 2 } };

describe("a rule with a condition", () => {
  it("stops an auto-apply that it matches, and says why; it lets others pass", async () => {
    const harmless = await plannedRun([destructive], { counts: counts({ destructions: 1 }) });
    expect(harmless.answer.body).toMatchObject({ goOn: false, next: {} });
    expect(await status(harmless.runId)).toBe("APPLYING");

    const { runId, answer } = await plannedRun([destructive], { counts: counts({ destructions: 2 }) });
    expect(answer.body).toEqual({ goOn: false });
    expect(await status(runId)).toBe("AWAITING_APPLY_APPROVAL");
    expect(await needs(runId)).toEqual([
      {
        gate: "APPLY",
        stage: "destructive",
        source: "RULE",
        reason: "The plan destroys 2 resources.",
        current: true,
        minimum: 1,
      },
    ]);
    const approved = await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 }, ann, EVERY_PART);
    expect(approved.run).toMatchObject({ status: "CONFIRMED", approvals: [{ stage: "destructive", counts: true }] });
  });

  it("opens the plan gate, after which auto-apply covers the plan", async () => {
    const rule = { name: "iam", gate: "PLAN", when: { resourceTypes: ["terraform_*"] } };
    const { runId } = await plannedRun([rule], {});
    expect(await needs(runId)).toMatchObject([
      { gate: "PLAN", stage: "iam", reason: "The plan changes resources of the type terraform_data." },
    ]);
    expect((await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, ann)).run.status).toBe("CONFIRMED");
    const other = { ...rule, when: { resourceTypes: ["aws_iam_*"] } };
    expect(await status((await plannedRun([other], {})).runId)).toBe("APPLYING");
  });

  it("comes after those without one, those of the organization first", async () => {
    const slug = "conditional";
    const when = { triggers: ["MANUAL", "API"] };
    const first = { name: "rare platform", gate: "PLAN", when };
    await scene.quick("createOrganization", {
      slug,
      name: slug,
      approvalRules: [first, { name: "platform", gate: "PLAN" }],
    });
    const own = [
      { name: "rare team", gate: "PLAN", when },
      { name: "team", gate: "PLAN" },
    ];
    const { runId } = await plannedRun(own, {}, { ...EAGER, organization: slug });
    expect((await needs(runId)).map(({ stage, reason }) => [stage, reason])).toEqual([
      ["platform", null],
      ["team", null],
      ["rare platform", expect.stringContaining("trigger")],
      ["rare team", expect.stringContaining("trigger")],
    ]);
  });

  it("applies where the cost is not known", async () => {
    const rule = { name: "cost", gate: "APPLY", when: { monthlyCostDeltaOver: 100 } };
    const { runId } = await plannedRun([rule], {});
    expect(await needs(runId)).toMatchObject([{ stage: "cost", reason: "The cost of the plan is not known." }]);
  });

  it("matches by the labels of the workspace", async () => {
    const rule = { name: "prod", gate: "APPLY", when: { labels: ["env:prod"] } };
    expect(await status((await plannedRun([rule], {}, { ...EAGER, labels: ["env:test"] })).runId)).toBe("APPLYING");
    const { runId } = await plannedRun([rule], {}, { ...EAGER, labels: ["env:prod"] });
    expect(await status(runId)).toBe("AWAITING_APPLY_APPROVAL");
  });
});

describe("a decision", () => {
  it("holds for its plan, whatever happens to the rule, and is made again for the next plan", async () => {
    const rule = { ...destructive, gate: "PLAN" };
    const { runId, workspaceId } = await plannedRun([rule], { counts: counts({ destructions: 2 }) });
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [] });
    expect(await needs(runId)).toMatchObject([{ stage: "destructive", current: true }]);

    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [rule, { name: "all", gate: "PLAN" }] });
    expect((await needs(runId)).map(({ stage }) => stage)).toEqual(["all", "destructive"]);
    await scene.quick("replanRun", { runId, planVersion: 1 });
    await (await scene.claim(runId)).plan();
    expect((await needs(runId)).map(({ stage }) => stage)).toEqual(["all"]);
    const stages = await scene.rows("select plan_version, name from run_stage where run_id = $1", runId);
    expect(stages).toEqual([{ plan_version: 1, name: "destructive" }]);

    await scene.quick("replanRun", { runId, planVersion: 2 });
    await (await scene.claim(runId)).plan({ counts: counts({ destructions: 3 }) });
    expect(await needs(runId)).toMatchObject([
      { stage: "all" },
      { stage: "destructive", reason: "The plan destroys 3 resources." },
    ]);
  });

  it("of an APPLY is about the plan of its PLAN run, with its cost", async () => {
    const cost = { name: "cost", gate: "APPLY", when: { monthlyCostDeltaOver: 100 } };
    const workspaceId = await scene.createWorkspace({ ...EAGER, approvalRules: [cost, destructive] });
    const applyOf = async (delta: string | null, plan: Partial<PlanContent> = {}) => {
      const planRunId = await scene.plan(workspaceId, {}, plan);
      await scene.rows(
        `insert into plan_document (plan_id, blob_id, raw_bytes, cost, created_at)
         select id, archive_blob_id, 1, $2::jsonb, created_at from plan where run_id = $1`,
        planRunId,
        delta === null ? null : JSON.stringify({ currency: "USD", monthlyDelta: delta }),
      );
      const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
      const result = { status: await status(runId), stages: (await needs(runId)).map(({ reason }) => reason) };
      await scene.quick(result.status === "CONFIRMED" ? "discardRun" : "cancelRun", { runId });
      return result;
    };
    expect(await applyOf("100")).toEqual({ status: "CONFIRMED", stages: [] });
    expect(await applyOf("100.01")).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      stages: [expect.stringContaining("100.01")],
    });
    expect(await applyOf("lots")).toMatchObject({ stages: ["The cost of the plan is not known."] });
    expect(await applyOf(null, { counts: counts({ destructions: 4 }) })).toMatchObject({
      stages: ["The cost of the plan is not known.", "The plan destroys 4 resources."],
    });
  });

  it("of a TASK is about its trigger and workspace", async () => {
    const rules = [{ name: "by hand", gate: "APPLY", minimum: 2, when: { triggers: ["MANUAL", "API"] } }, destructive];
    const workspaceId = await scene.createWorkspace({ tasksAllowed: true, approvalRules: rules });
    const runId = await scene.createRun(workspaceId, { kind: "TASK", command: "true" });
    expect(await needs(runId)).toMatchObject([{ stage: "by hand", minimum: 2, current: true }]);
  });
});

describe("the input", () => {
  const refusal = async (when: object, more: object = {}): Promise<Data[]> => {
    const approvalRules = [{ name: "a", gate: "APPLY", when, ...more }];
    const answer = await scene.send("createWorkspace", {
      name: "refused",
      source: { directory: { path: "/x" } },
      approvalRules,
    });
    return answer.issues.map(({ path, message }: Data) => [path.join("."), message]);
  };
  const at = (field: string, message: string) => [[`approvalRules.0.${field}`, expect.stringContaining(message)]];

  it("names the field, and what would be right", async () => {
    expect(await refusal({})).toEqual(at("when", "must set a field"));
    expect(await refusal({ labels: [] })).toEqual(at("when", "must set a field"));
    expect(await refusal({ minDestructions: 0 })).toEqual(at("when.minDestructions", "1 or more"));
    expect(await refusal({ minReplacements: -1 })).toEqual(at("when.minReplacements", "1 or more"));
    expect(await refusal({ resourceTypes: ["ok", "aws iam"] })).toEqual(at("when.resourceTypes.1", "aws_iam_role"));
    expect(await refusal({ labels: ["env:prod", "a:b:c"] })).toEqual(at("when.labels.1", "key:value"));
    expect(await refusal({ labels: ["a", "a"] })).toEqual(at("when.labels", "once"));
    expect(await refusal({ triggers: ["API", "API"] })).toEqual(at("when.triggers", "once"));
    expect(await refusal({ monthlyCostDeltaOver: -1 })).toEqual(at("when.monthlyCostDeltaOver", "from 0"));
    const many = Array.from({ length: 51 }, (_, index) => `type_${index}`);
    expect(await refusal({ resourceTypes: many })).toEqual(at("when.resourceTypes", "at most 50"));
    expect(await refusal({ minDestructions: 1 }, { kinds: ["DEPLOY", "TASK"] })).toEqual(
      at("kinds", "a task has none"),
    );
  });

  it("is shown as it was given, with a rule for tasks where it does not ask about the plan", async () => {
    const approvalRules = [
      { name: "a", gate: "APPLY", when: { minDestructions: 1, resourceTypes: ["aws_*"], monthlyCostDeltaOver: 2.5 } },
      { name: "b", gate: "APPLY", when: { labels: ["env"], triggers: ["PUSH"] } },
      { name: "c", gate: "APPLY", when: null },
    ];
    const id = await scene.createWorkspace({ approvalRules });
    const query = `query ($id: ID!) { workspace(by: { id: $id }) { approvalRules { name kinds
      when { minDestructions minReplacements resourceTypes labels triggers monthlyCostDeltaOver } } } }`;
    const empty = { minDestructions: null, minReplacements: null, resourceTypes: [], labels: [], triggers: [] };
    const planned = ["DEPLOY", "DESTROY", "APPLY"];
    expect((await scene.api.ask(query, { id })).workspace.approvalRules).toEqual([
      {
        name: "a",
        kinds: planned,
        when: { ...empty, minDestructions: 1, resourceTypes: ["aws_*"], monthlyCostDeltaOver: 2.5 },
      },
      {
        name: "b",
        kinds: [...planned, "TASK"],
        when: { ...empty, labels: ["env"], triggers: ["PUSH"], monthlyCostDeltaOver: null },
      },
      { name: "c", kinds: [...planned, "TASK"], when: null },
    ]);
  });
});
