/** From rules in CEL to the plan gate and past it: overrides, demanded approvals and exceptions of runs that are judged. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
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
import { openScene, type Scene } from "../scene.ts";

type Person = Api & { tokenId: string; actorId: string };

const AUTO = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
const ASK = { name: "ask", level: "SOFT_MANDATORY" } as const;
const DENY = { name: "deny" };

let scene: Scene;
let ann: Person;
beforeAll(async () => {
  scene = await openScene(100, { standing: true });
  ann = await scene.person("APPROVER");
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
