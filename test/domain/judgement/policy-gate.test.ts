/** From rules in CEL to the plan gate and past it: overrides, demanded approvals and exceptions of runs that are judged. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { lockForChange } from "../../../src/domain/lifecycle/locked-run.ts";
import { readPlanFindings } from "../../../src/domain/lifecycle/plan-findings.ts";
import { ADMIN_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { Api, Data } from "../../support/api.ts";
import { addException } from "../../support/judged-plans.ts";
import {
  activate,
  attach,
  judgeAll,
  overrideAll,
  planned,
  planWithDocument,
  statusOf,
} from "../../support/judged-runs.ts";
import { EVERY_PART, openScene, type Scene } from "../scene.ts";

type Person = Api & { tokenId: string; actorId: string };

const AUTO = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
const ASK = { name: "ask", level: "SOFT_MANDATORY" } as const;
const DENY = { name: "deny" };

let scene: Scene;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  scene = await openScene(100, { standing: true });
  [ann, bob] = [await scene.person("APPROVER"), await scene.person("APPROVER")];
});
afterEach(() => {
  expect(scene.server.reported).toEqual([]);
});
afterAll(() => scene[Symbol.asyncDispose]());

async function read(runId: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status requiredAction
    approvalRequirements { gate stage source reason missing }
    policyEvaluations(point: PLAN) { planVersion results(first: 5) { edges { node { id policy status overriddenBy { id }
      exception { id state } } } } } } }`;
  const { run } = await scene.api.ask(query, { id: runId });
  const results = run.policyEvaluations.flatMap(({ planVersion, results: page }: Data) =>
    page.edges.map(({ node }: Data) => ({ planVersion, ...node })),
  );
  return { ...run, results };
}

async function replan(runId: string, planVersion: number): Promise<void> {
  await scene.quick("replanRun", { runId, planVersion });
  await planWithDocument(await scene.claim(runId));
  await judgeAll(scene);
}

function setOverriders(setId: string, more: object): Promise<Data[]> {
  const overriders = { approverIds: [], teamIds: [], minimum: 1, excludeRequester: true, holds: "PLAN", ...more };
  return scene.rows("update policy_set set overriders = $2::jsonb where id = $1", setId, JSON.stringify(overriders));
}

describe("a violation that people may override", () => {
  it("holds the run at a stage of its own, and shows who overrode it", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, [ASK]);
    await setOverriders(setId, { approverIds: [ann.actorId] });
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await read(runId)).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      requiredAction: "OVERRIDE_POLICY",
      approvalRequirements: [
        { gate: "PLAN", source: "OVERRIDE", missing: 1, reason: expect.stringContaining("ask objects.") },
      ],
      results: [{ policy: "ask", status: "FAILED", overriddenBy: null, exception: null }],
    });
    const approved = await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, ann);
    expect(approved).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      message: expect.stringContaining("overridePolicies"),
    });
    expect(await overrideAll(scene, runId)).toMatchObject({ message: expect.stringContaining("a token alone") });
    expect(await overrideAll(scene, runId, ann)).toMatchObject({ run: { status: "CONFIRMED" } });
    expect((await read(runId)).results).toMatchObject([{ overriddenBy: { id: ann.actorId } }]);
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });

  it("is not asked for again after a replan, if the set holds overrides of the same violations", async () => {
    const workspaceId = await scene.createWorkspace({ ...AUTO, autoApply: "NEVER" });
    const { setId } = await attach(scene, workspaceId, [ASK]);
    await setOverriders(setId, { holds: "SAME_VIOLATIONS" });
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await overrideAll(scene, runId, ann);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    await replan(runId, 1);
    expect(await read(runId)).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      approvalRequirements: [{ gate: "APPLY", source: null }],
      results: [
        { planVersion: 1, overriddenBy: { id: ann.actorId } },
        { planVersion: 2, overriddenBy: { id: ann.actorId } },
      ],
    });
    // Another version may mean something else by the same words.
    await activate(scene, setId, [ASK]);
    await replan(runId, 2);
    expect(await read(runId)).toMatchObject({ status: "AWAITING_PLAN_APPROVAL", requiredAction: "OVERRIDE_POLICY" });
    await overrideAll(scene, runId, ann);
    await setOverriders(setId, { holds: "PLAN" });
    await replan(runId, 3);
    expect(await statusOf(scene, runId)).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("of an APPLY holds by the override of its PLAN run, whose approvals count as well", async () => {
    const approvalRules = [{ name: "review", gate: "PLAN", kinds: ["PLAN", "APPLY"] }];
    const workspaceId = await scene.createWorkspace({ ...AUTO, approvalRules });
    await attach(scene, workspaceId, [ASK]);
    const { runId: planRunId } = await planned(scene, workspaceId, "PLAN");
    await judgeAll(scene);
    await overrideAll(scene, planRunId, ann);
    await scene.send("approveRun", { runId: planRunId, gate: "PLAN", planVersion: 1 }, ann);
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("CONFIRMED");
  });

  it("of an APPLY that came later is asked for alone: the plan is approved already", async () => {
    const approvalRules = [{ name: "review", gate: "PLAN", kinds: ["PLAN", "APPLY"] }];
    const workspaceId = await scene.createWorkspace({ ...AUTO, approvalRules });
    const { runId: planRunId } = await planned(scene, workspaceId, "PLAN");
    await scene.send("approveRun", { runId: planRunId, gate: "PLAN", planVersion: 1 }, ann);
    await attach(scene, workspaceId, [ASK]);
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    await judgeAll(scene);
    expect((await read(runId)).approvalRequirements).toMatchObject([{ gate: "PLAN", source: "OVERRIDE", missing: 1 }]);
    expect(await overrideAll(scene, runId, ann)).toMatchObject({ run: { status: "CONFIRMED" } });
  });
});

describe("an override that is carried to a later plan", () => {
  const HELD = { holds: "SAME_VIOLATIONS" };
  const withdraw = (runId: string, by: Api): Promise<Data> =>
    scene.send("withdrawApproval", { runId, gate: "PLAN" }, by, EVERY_PART);
  const mayWithdraw = async (runId: string, by: Api): Promise<boolean> => {
    const query = "query ($id: ID!) { run(id: $id) { actions { action allowed } } }";
    const { run } = await by.ask(query, { id: runId });
    return run.actions.find(({ action }: Data) => action === "WITHDRAW_APPROVAL").allowed;
  };
  /** A run whose first plan ann overrode, and whose second plan that override holds for. */
  async function carried(settings: object, overriders: object = {}) {
    const workspaceId = await scene.createWorkspace(settings);
    const { setId } = await attach(scene, workspaceId, [ASK]);
    await setOverriders(setId, { ...HELD, ...overriders });
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await overrideAll(scene, runId, ann);
    return { workspaceId, setId, runId };
  }

  it("is withdrawn at the apply gate: the run returns, and asks for another one", async () => {
    const { runId } = await carried({ ...AUTO, autoApply: "NEVER" });
    await replan(runId, 1);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    expect([await mayWithdraw(runId, ann), await mayWithdraw(runId, bob)]).toEqual([true, false]);
    expect(await withdraw(runId, bob)).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      message: "You have no counted override at the gate PLAN to withdraw.",
    });
    expect(await withdraw(runId, await scene.login("WRITER"))).toMatchObject({ code: "FORBIDDEN" });
    expect((await withdraw(runId, ann)).run).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      approvals: [
        { decision: "OVERRIDDEN", planVersion: 1, counts: false },
        { decision: "WITHDRAWN", planVersion: 2 },
      ],
    });
    expect(await read(runId)).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      requiredAction: "OVERRIDE_POLICY",
      approvalRequirements: [
        { gate: "PLAN", source: "OVERRIDE", missing: 1, reason: expect.stringContaining("ask objects.") },
        { gate: "APPLY" },
      ],
      results: [
        { planVersion: 1, overriddenBy: { id: ann.actorId } },
        { planVersion: 2, overriddenBy: null },
      ],
    });
    expect(await withdraw(runId, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    // Ann's holds for nothing any more, and bob's for the next plan.
    expect(await overrideAll(scene, runId, bob)).toMatchObject({ run: { status: "AWAITING_APPLY_APPROVAL" } });
    await replan(runId, 2);
    expect((await read(runId)).results.at(-1)).toMatchObject({ planVersion: 3, overriddenBy: { id: bob.actorId } });
    await withdraw(runId, bob);
    await replan(runId, 3);
    expect(await read(runId)).toMatchObject({ status: "AWAITING_PLAN_APPROVAL", requiredAction: "OVERRIDE_POLICY" });
  });

  it("is withdrawn from a confirmed run until a runner has it", async () => {
    const approvalRules = [{ name: "review", gate: "PLAN" }];
    const { runId } = await carried({ ...AUTO, approvalRules });
    await replan(runId, 1);
    await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 2 }, bob);
    expect(await statusOf(scene, runId)).toBe("CONFIRMED");
    expect((await withdraw(runId, ann)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await read(runId)).approvalRequirements).toMatchObject([
      { stage: "review", missing: 0 },
      { source: "OVERRIDE", missing: 1 },
    ]);
    expect(await overrideAll(scene, runId, bob)).toMatchObject({ run: { status: "CONFIRMED" } });
    await scene.claim(runId);
    expect(await withdraw(runId, bob)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
  });

  it("is not withdrawn once the apply was approved", async () => {
    const approvalRules = [{ name: "two", gate: "APPLY", minimum: 2 }];
    const { runId } = await carried({ ...AUTO, autoApply: "NEVER", approvalRules });
    await replan(runId, 1);
    await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 2 }, bob);
    expect(await mayWithdraw(runId, ann)).toBe(false);
    expect(await withdraw(runId, ann)).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      message: expect.stringContaining("has passed the gate APPLY"),
    });
  });

  it("stays where another person's is enough", async () => {
    const { runId } = await carried({ ...AUTO, autoApply: "NEVER" }, { minimum: 2 });
    await overrideAll(scene, runId, bob);
    await scene.rows(
      `update policy_set set overriders = jsonb_set(overriders, '{minimum}', '1')
        where id in (select owner_id from run_stage where run_id = $1)`,
      runId,
    );
    await replan(runId, 1);
    expect((await withdraw(runId, ann)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    expect((await read(runId)).results.at(-1)).toMatchObject({ planVersion: 2, overriddenBy: { id: bob.actorId } });
    expect((await withdraw(runId, bob)).run.status).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("is withdrawn for the later run, and holds on in its own", async () => {
    const { workspaceId, runId } = await carried({ ...AUTO, autoApply: "NEVER", lockScope: "EXECUTION" });
    const next = async (): Promise<string> => {
      const later = (await planned(scene, workspaceId)).runId;
      await judgeAll(scene);
      return later;
    };
    const later = await next();
    expect(await statusOf(scene, later)).toBe("AWAITING_APPLY_APPROVAL");
    expect((await withdraw(later, ann)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    expect(await statusOf(scene, await next())).toBe("AWAITING_PLAN_APPROVAL");
  });

  it("as one of the plan itself, which is withdrawn at the apply gate too; an approval is not", async () => {
    const { runId } = await carried({ ...AUTO, autoApply: "NEVER", approvalRules: [{ name: "review", gate: "PLAN" }] });
    await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, bob);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    expect(await withdraw(runId, bob)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    expect((await withdraw(runId, ann)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await read(runId)).approvalRequirements).toMatchObject([
      { stage: "review", missing: 0 },
      { source: "OVERRIDE", missing: 1 },
      { gate: "APPLY" },
    ]);
  });

  it("is an event of the run with its withdrawal", async () => {
    const { runId } = await carried({ ...AUTO, autoApply: "NEVER" });
    await replan(runId, 1);
    await withdraw(runId, ann);
    const query = `query ($id: ID!) { run(id: $id) { events(last: 8) { edges { node { __typename
      ... on ApprovalRecorded { approval { decision planVersion } } ... on RunStatusChanged { to } } } } } }`;
    const { run } = await scene.api.ask(query, { id: runId });
    expect(run.events.edges.map(({ node }: Data) => node)).toMatchObject(
      expect.arrayContaining([
        { __typename: "ApprovalRecorded", approval: { decision: "WITHDRAWN", planVersion: 2 } },
        { __typename: "RunStatusChanged", to: "AWAITING_PLAN_APPROVAL" },
      ]),
    );
  });
});

describe("a demand for approvals of an APPLY", () => {
  const DBA = { name: "dba", teamIds: [], minimum: 1, excludeRequester: true };
  const demand = (message: string) => ({
    ...ASK,
    approvers: { ...DBA, approverIds: [ann.actorId] },
    message,
  });
  /** A PLAN run whose demand ann met. */
  async function met() {
    const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED" });
    const { setId } = await attach(scene, workspaceId, [demand("A table goes.")]);
    const { runId: planRunId } = await planned(scene, workspaceId, "PLAN");
    await judgeAll(scene);
    expect((await read(planRunId)).approvalRequirements).toMatchObject([{ stage: "dba", missing: 1 }]);
    const approved = await scene.send("approveRun", { runId: planRunId, gate: "PLAN", planVersion: 1 }, ann);
    expect(approved.run.status).toBe("FINISHED");
    return { workspaceId, setId, planRunId };
  }
  async function applied(workspaceId: string, planRunId: string): Promise<string> {
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    await judgeAll(scene);
    return runId;
  }

  it("was met by the approvals of its plan", async () => {
    const { workspaceId, planRunId } = await met();
    const runId = await applied(workspaceId, planRunId);
    expect(await read(runId)).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      approvalRequirements: [{ gate: "APPLY", source: null }],
      results: [{ policy: "ask", status: "FAILED" }],
    });
  });

  it("is made again by another version of the policy", async () => {
    const { workspaceId, setId, planRunId } = await met();
    await activate(scene, setId, [demand("A table goes.")]);
    const runId = await applied(workspaceId, planRunId);
    expect((await read(runId)).approvalRequirements).toMatchObject([{ stage: "dba", missing: 1 }, { gate: "APPLY" }]);
    expect((await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, ann)).run.status).toBe(
      "AWAITING_APPLY_APPROVAL",
    );
  });

  it("is made again where the one that approved asks for the apply itself", async () => {
    const { workspaceId, planRunId } = await met();
    const runId = await applied(workspaceId, planRunId);
    await scene.rows("update run set created_by = $2 where id = $1", runId, ann.actorId);
    const { deps } = scene.server;
    const left = await deps.database.transaction(async (tx) => {
      const locked = await lockForChange(tx, deps, runId);
      if (locked === null) throw new Error("There is no such run.");
      return (await readPlanFindings(tx, locked, deps.clock())).findings.map(({ status }) => status);
    });
    expect(left).toEqual(["FAILED"]);
  });

  it("is made where the PLAN run had none", async () => {
    const workspaceId = await scene.createWorkspace({ planApproval: "WHEN_REQUIRED" });
    const { runId: planRunId } = await planned(scene, workspaceId, "PLAN");
    await attach(scene, workspaceId, [demand("A table goes.")]);
    const runId = await applied(workspaceId, planRunId);
    expect((await read(runId)).approvalRequirements).toMatchObject([{ stage: "dba", missing: 1 }, { gate: "APPLY" }]);
  });
});

describe("a demand for approvals", () => {
  it("is a stage that an approval passes, for the people whom the policy names", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const approvers = { name: "dba", approverIds: [ann.actorId], teamIds: [], minimum: 1, excludeRequester: true };
    await attach(scene, workspaceId, [{ ...ASK, approvers, message: "A table goes." }]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    const asked = await read(runId);
    expect(asked.approvalRequirements).toMatchObject([
      { gate: "PLAN", stage: "dba", source: "POLICY", missing: 1, reason: expect.stringContaining("A table goes.") },
    ]);
    await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
    const approve = (by: Api) => scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, by);
    expect(await approve(scene.api)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(ann)).run.status).toBe("CONFIRMED");
  });
});

describe("an exception", () => {
  const inForce = async (setId: string, workspaceId: string, more: object = {}): Promise<string> => {
    const id = await addException(scene, setId, [workspaceId], { policy: "deny", ...more });
    await scene.rows(
      "update policy_exception set state = 'APPROVED', decided_by = requested_by, decided_at = now() where id = $1",
      id,
    );
    return id;
  };

  it("waives a violation that no one could override, which is shown with it", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, [DENY]);
    const id = await inForce(setId, workspaceId);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await read(runId)).toMatchObject({
      status: "CONFIRMED",
      results: [{ policy: "deny", status: "WAIVED", exception: { id, state: "APPROVED" } }],
    });
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });

  it("that comes while the run waits for an override holds nothing up: the override is still taken", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    const { setId } = await attach(scene, workspaceId, [ASK]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    await inForce(setId, workspaceId, { policy: "ask" });
    expect(await overrideAll(scene, runId, ann)).toMatchObject({ run: { status: "CONFIRMED" } });
  });

  it("that has ended before the apply lets nothing through", async () => {
    const workspaceId = await scene.createWorkspace({ ...AUTO, autoApply: "NEVER" });
    const { setId } = await attach(scene, workspaceId, [DENY]);
    const expiresAt = new Date(scene.server.deps.clock().getTime() + 60_000).toISOString();
    await inForce(setId, workspaceId, { expiresAt });
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    expect(await statusOf(scene, runId)).toBe("AWAITING_APPLY_APPROVAL");
    scene.server.advance(60_000);
    await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
    await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 }, ann);
    await judgeAll(scene);
    expect(await read(runId)).toMatchObject({
      status: "REJECTED",
      results: [{ policy: "deny", status: "FAILED", exception: null }],
    });
  });

  it("is what a rejected run is told to ask for: its violation has no override", async () => {
    const workspaceId = await scene.createWorkspace(AUTO);
    await attach(scene, workspaceId, [DENY]);
    const { runId } = await planned(scene, workspaceId);
    await judgeAll(scene);
    const { status, results } = await read(runId);
    expect(status).toBe("REJECTED");
    const input = { runId, planVersion: 1, resultIds: [results[0].id], comment: "Please." };
    const document = `mutation ($input: OverridePoliciesInput!) { overridePolicies(input: $input) {
      ... on InvalidInputError { issues { path message } } } }`;
    expect((await ann.ask(document, { input })).overridePolicies.issues).toEqual([
      { path: ["resultIds", "0"], message: expect.stringContaining("requestPolicyException") },
    ]);
  });
});
