/** Approval rules through the API: who must approve, who may, what is missing, and what people say besides. */
import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ringAlarms } from "../../src/domain/lease/ring-alarms.ts";
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Api, Data } from "../support/api.ts";
import { EVERY_PART, openScene, type Scene } from "./scene.ts";

type Person = Api & { tokenId: string; actorId: string };

let scene: Scene;
let ann: Person;
let bob: Person;
let eve: Person;
beforeAll(async () => {
  scene = await openScene();
  ann = await scene.person("APPROVER");
  bob = await scene.person("APPROVER");
  eve = await scene.person("APPROVER");
  // The administrator is a person, too.
  await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const REQUIREMENTS = `gate stage minimum missing satisfied current commentRequired excludeRequester
  distinctFromPlanApprover viewerCanApprove viewerReason given { actor { id } } eligibleActors { id }`;

const needs = async (runId: string, by: Api = scene.api): Promise<Data[]> =>
  (await by.ask(`query ($id: ID!) { run(id: $id) { approvalRequirements { ${REQUIREMENTS} } } }`, { id: runId })).run
    .approvalRequirements;
const action = async (runId: string, name: string, by: Api): Promise<Data> => {
  const { run } = await by.ask("query ($id: ID!) { run(id: $id) { actions { action allowed code reason } } }", {
    id: runId,
  });
  return run.actions.find((each: Data) => each.action === name);
};
const approve = (runId: string, by: Api, input: object = {}): Promise<Data> =>
  scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1, ...input }, by, EVERY_PART);
const ids = (actors: Data[]): string[] => actors.map(({ id }) => id);

/** A run at its plan gate, where these rules hold. */
const atPlanGate = async (...approvalRules: object[]): Promise<{ runId: string; workspaceId: string }> =>
  scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", {
    approvalRules: approvalRules.map((rule, index) => ({ name: `rule ${index}`, gate: "PLAN", ...rule })),
  });

describe("a quorum", () => {
  it("of two: the first approval is recorded, the second one lets the run go on", async () => {
    const { runId } = await atPlanGate({ name: "leads", minimum: 2 });
    await using events = scene.api.subscribe(
      `subscription ($id: ID!) { runEvents(runId: $id) { __typename ... on RunSnapshot { run { version } }
        ... on ApprovalRecorded { version approval { stage decision actor { id } } } ... on RunStatusChanged { to } } }`,
      { id: runId },
    );
    const next = async (): Promise<Data> => (await events.next()).value.runEvents;
    expect(await next()).toMatchObject({ __typename: "RunSnapshot" });

    const first = await approve(runId, ann, { comment: "looks good" });
    expect(first.run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect(first.run.approvals).toMatchObject([{ stage: "leads", counts: true, actor: { id: ann.actorId } }]);
    expect(await next()).toMatchObject({ approval: { stage: "leads", actor: { id: ann.actorId } } });

    const [missing, apply] = await needs(runId, bob);
    expect(missing).toMatchObject({
      gate: "PLAN",
      stage: "leads",
      minimum: 2,
      missing: 1,
      satisfied: false,
      current: true,
      viewerCanApprove: true,
      viewerReason: null,
      given: [{ actor: { id: ann.actorId } }],
    });
    // Who may read no members reads of approvers themselves alone.
    expect(ids(missing.eligibleActors)).toEqual([bob.actorId]);
    const [ofAdmin] = await needs(runId);
    expect(ids(ofAdmin?.eligibleActors)).toEqual(expect.arrayContaining([bob.actorId, eve.actorId]));
    expect(ids(ofAdmin?.eligibleActors)).not.toContain(ann.actorId);
    expect(apply).toMatchObject({ gate: "APPLY", stage: null, minimum: 1, current: false, viewerCanApprove: false });
    expect((await needs(runId, ann))[0]).toMatchObject({
      viewerCanApprove: false,
      viewerReason: "You approved this stage already.",
    });

    const again = await approve(runId, ann, { comment: "once more" });
    expect(again.run).toMatchObject({ version: first.run.version, approvals: first.run.approvals });
    expect(await action(runId, "APPROVE_PLAN", ann)).toMatchObject({ allowed: true });

    const second = await approve(runId, bob);
    expect(second.run).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      approvals: [{}, { actor: { id: bob.actorId } }],
    });
    expect(await next()).toMatchObject({ approval: { actor: { id: bob.actorId } } });
    expect(await needs(runId)).toMatchObject([{ gate: "APPLY", current: true, missing: 1 }]);
  });

  it("of two people at once, over two connections: both count, in whatever order", async () => {
    for (let round = 0; round < 6; round++) {
      const { runId } = await atPlanGate({ minimum: 2 });
      const answers = await Promise.all([approve(runId, ann), approve(runId, bob)]);
      expect(answers.map(({ __typename }) => __typename)).toEqual(["ApproveRunSuccess", "ApproveRunSuccess"]);
      expect(answers.map(({ run }) => run.status)).toContain("AWAITING_APPLY_APPROVAL");
      const run = await scene.run(runId);
      expect(run).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", approvals: [{ counts: true }, { counts: true }] });
    }
  });

  it("is not reached by one person, however often and fast", async () => {
    const { runId } = await atPlanGate({ minimum: 2 });
    const clicks = await Promise.all(Array.from({ length: 10 }, () => approve(runId, ann)));
    expect(clicks.every(({ __typename }) => __typename === "ApproveRunSuccess")).toBe(true);
    expect(await scene.run(runId, "status", "approvals")).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      approvals: [{ counts: true }],
    });
  });
});

describe("stages", () => {
  it("of the organization come first; each has its own approvers, and its turn", async () => {
    const slug = "staged";
    const rule = { name: "platform", gate: "PLAN", approverIds: [ann.actorId] };
    await scene.quick("createOrganization", { slug, name: slug, approvalRules: [rule] });
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", {
      organization: slug,
      approvalRules: [{ name: "team", gate: "PLAN", approverIds: [ann.actorId, bob.actorId] }],
    });
    expect((await needs(runId)).map(({ stage, current }) => [stage, current])).toEqual([
      ["platform", true],
      ["team", false],
      [null, false],
    ]);
    expect(await approve(runId, bob)).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("platform"),
    });
    expect(await approve(runId, bob, { stage: "team" })).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      message: expect.stringContaining("platform"),
    });
    expect((await approve(runId, ann)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    // A click twice is not an approval of two stages.
    expect(await approve(runId, ann)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["stage"] }] });
    expect((await approve(runId, ann, { stage: "platform" })).run.approvals).toHaveLength(1);
    expect(await approve(runId, eve)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(runId, ann, { stage: "team" })).run).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      approvals: [{ stage: "platform" }, { stage: "team" }],
    });
  });

  it("may be rejected by whoever may reject, whatever the stage", async () => {
    const { runId } = await atPlanGate({ approverIds: [ann.actorId], minimum: 1 });
    await scene.send("rejectRun", { runId, planVersion: 1 }, eve);
    expect(await scene.run(runId, "status", "approvals")).toMatchObject({
      status: "REJECTED",
      approvals: [{ stage: null, counts: true }],
    });
  });
});

describe("who may not approve is told which rule says so", () => {
  it("excludeRequester", async () => {
    const { runId } = await atPlanGate({ name: "four eyes", excludeRequester: true });
    const refused = await approve(runId, scene.api);
    expect(refused).toMatchObject({ code: "FORBIDDEN", message: expect.stringMatching(/four eyes.*excludeRequester/) });
    expect(await action(runId, "APPROVE_PLAN", scene.api)).toEqual({
      action: "APPROVE_PLAN",
      allowed: false,
      code: refused.code,
      reason: refused.message,
    });
    expect((await needs(runId))[0]).toMatchObject({ viewerCanApprove: false, viewerReason: refused.message });
    expect((await approve(runId, ann)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    const [{ count }] = await scene.rows(
      "select count(*) from rejected_command where subject_id = $1 and code = 'FORBIDDEN'",
      runId,
    );
    expect(count).toBe(1);
  });

  it("excludeRequester, whoever asked for the plan at hand as well", async () => {
    const { runId } = await atPlanGate({ name: "four eyes", excludeRequester: true });
    await scene.send("replanRun", { runId, planVersion: 1, targets: [] }, ann);
    await (await scene.claim(runId)).plan();
    const again = { runId, gate: "PLAN", planVersion: 2 };
    expect(await scene.send("approveRun", again, ann)).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.send("approveRun", again, bob)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("distinctFromPlanApprover", async () => {
    const { runId } = await atPlanGate({ name: "other", gate: "APPLY", distinctFromPlanApprover: true });
    await approve(runId, ann);
    const refused = await approve(runId, ann, { gate: "APPLY" });
    expect(refused).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("distinctFromPlanApprover") });
    const [apply] = await needs(runId, ann);
    expect(apply).toMatchObject({ gate: "APPLY", stage: "other", viewerCanApprove: false });
    expect(ids(apply.eligibleActors)).not.toContain(ann.actorId);
    expect((await approve(runId, bob, { gate: "APPLY" })).run.status).toBe("CONFIRMED");
    expect(await needs(runId)).toEqual([]);
  });

  it("and what a run says about it is what approveRun answers", async () => {
    const { runId, workspaceId } = await atPlanGate({ approverIds: [ann.actorId] });
    const people = [ann, bob, scene.api, await scene.login("READER"), await scene.login("WRITER")];
    const shapes = [{}, { approverIds: [] }, { approverIds: [], excludeRequester: true }, { name: "second" }];
    for (const shape of shapes) {
      // So many can never be found: whoever counts is heard, and the run stays.
      await scene.rows(
        `update workspace set approval_rules = jsonb_build_array(approval_rules -> 0 || '{"minimum": 50}' || $2::jsonb)
         where id = $1`,
        workspaceId,
        JSON.stringify(shape),
      );
      for (const by of people) {
        const said = await action(runId, "APPROVE_PLAN", by);
        const [{ viewerCanApprove, viewerReason, given }] = await needs(runId, by);
        const answer = await approve(runId, by);
        expect({ shape, code: answer.code ?? null }).toEqual({ shape, code: said.code });
        expect(viewerReason === null).toBe(viewerCanApprove);
        const [{ given: after }] = await needs(runId, by);
        expect(after.length - given.length).toBe(viewerCanApprove ? 1 : 0);
      }
    }
  });

  it("in the order of the errors: forbidden, invalid input, state conflict, stale plan", async () => {
    const { runId } = await atPlanGate({ excludeRequester: true, commentRequired: true });
    const reader = await scene.login("READER");
    const writer = await scene.login("WRITER");
    const wrong = { planVersion: 7 };
    expect(await approve("run_0", ann, wrong)).toMatchObject({ code: "NOT_FOUND" });
    for (const by of [reader, writer, scene.api]) {
      expect(await approve(runId, by, wrong)).toMatchObject({ code: "FORBIDDEN" });
    }
    expect(await approve(runId, ann, wrong)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["comment"] }] });
    expect(await approve(runId, ann, { ...wrong, comment: " " })).toMatchObject({ code: "INVALID_INPUT" });
    // At another gate's turn no rule of this one is asked.
    expect(await approve(runId, scene.api, { gate: "APPLY" })).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    expect(await approve(runId, ann, { ...wrong, comment: "yes" })).toMatchObject({ code: "STALE_PLAN" });
    expect((await scene.run(runId, "approvals")).approvals).toEqual([]);
    expect((await approve(runId, ann, { comment: "yes" })).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });
});

describe("withdrawApproval", () => {
  const withdraw = (runId: string, by: Api, input: object = {}): Promise<Data> =>
    scene.send("withdrawApproval", { runId, gate: "PLAN", ...input }, by, EVERY_PART);

  it("takes back what the caller approved, and nothing else", async () => {
    const { runId } = await atPlanGate({ name: "leads", minimum: 2 });
    expect(await withdraw(runId, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId } });
    await approve(runId, ann);
    expect(await withdraw(runId, bob)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    const { run } = await withdraw(runId, ann, { comment: "wait" });
    expect(run.approvals).toMatchObject([
      { decision: "APPROVED", counts: false },
      { decision: "WITHDRAWN", counts: false, stage: "leads", comment: "wait" },
    ]);
    const { run: shown } = await scene.api.ask(
      "query ($id: ID!) { run(id: $id) { events(last: 1) { edges { node { __typename version } } } } }",
      { id: runId },
    );
    expect(shown.events.edges).toMatchObject([{ node: { __typename: "ApprovalRecorded", version: run.version } }]);
    expect(await withdraw(runId, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    expect((await approve(runId, bob)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await approve(runId, ann)).run.status).toBe("AWAITING_APPLY_APPROVAL");
    expect(await withdraw(runId, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
  });

  it("is for whoever may approve", async () => {
    const { runId } = await atPlanGate();
    expect(await withdraw(runId, await scene.login("WRITER"))).toMatchObject({ code: "FORBIDDEN" });
    expect(await withdraw("run_0", ann)).toMatchObject({ code: "NOT_FOUND" });
    const long = "x".repeat(10_001);
    expect(await withdraw(runId, ann, { comment: long })).toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("rules and plans that change while people decide", () => {
  it("a new plan voids what was approved", async () => {
    const { runId } = await atPlanGate({ minimum: 2 });
    await approve(runId, ann);
    await scene.quick("replanRun", { runId, planVersion: 1 });
    expect((await needs(runId))[0]).toMatchObject({ missing: 2, current: false, given: [] });
    await (await scene.claim(runId)).plan();
    await approve(runId, bob, { planVersion: 2 });
    expect((await needs(runId))[0]).toMatchObject({ missing: 1, given: [{ actor: { id: bob.actorId } }] });
    expect((await approve(runId, ann, { planVersion: 2 })).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("an approval of another version of the plan does not count, though no event says that it was voided", async () => {
    const { runId } = await atPlanGate({ minimum: 2 });
    await approve(runId, ann);
    await scene.rows("update approval set plan_version = 0 where run_id = $1", runId);
    expect((await needs(runId))[0]).toMatchObject({ missing: 2, given: [] });
    expect((await approve(runId, bob)).run.status).toBe("AWAITING_PLAN_APPROVAL");
    expect((await needs(runId))[0]).toMatchObject({ missing: 1, given: [{ actor: { id: bob.actorId } }] });
    expect((await approve(runId, eve)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("a rule that is relaxed lets go on what has enough", async () => {
    const { runId, workspaceId } = await atPlanGate({ minimum: 2 });
    await approve(runId, ann);
    const approvalRules = [{ name: "rule 0", gate: "PLAN", minimum: 1 }];
    await scene.quick("updateWorkspace", { workspaceId, approvalRules });
    expect(await scene.run(runId, "status", "approvals")).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      approvals: [{ counts: true }],
    });
  });

  it("a rule of the organization that is relaxed does so when its runs are looked at", async () => {
    const slug = "relaxed";
    const rule = { name: "two", gate: "PLAN", minimum: 2 };
    const organizationId = await scene.quick("createOrganization", { slug, name: slug, approvalRules: [rule] });
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { organization: slug });
    await approve(runId, ann);
    await scene.quick("updateOrganization", { organizationId, approvalRules: [{ ...rule, minimum: 1 }] });
    await ringAlarms(scene.server.deps, null);
    expect(await scene.run(runId, "status")).toMatchObject({ status: "AWAITING_APPLY_APPROVAL" });
  });

  it("a relaxed rule whose run was not looked at yet: the next word of anybody is enough", async () => {
    const slug = "unseen";
    const rule = { name: "two", gate: "PLAN", minimum: 2 };
    const organizationId = await scene.quick("createOrganization", { slug, name: slug, approvalRules: [rule] });
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { organization: slug });
    await approve(runId, ann);
    await scene.quick("updateOrganization", { organizationId, approvalRules: [{ ...rule, minimum: 1 }] });
    expect((await needs(runId, ann))[0]).toMatchObject({ satisfied: true, current: true, viewerCanApprove: true });
    expect((await approve(runId, ann)).run).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", approvals: [{}] });
  });

  it("a rule that goes leaves the gate to one more approval; what was given at it is shown and does not matter", async () => {
    const { runId, workspaceId } = await atPlanGate({ minimum: 2 });
    await approve(runId, ann);
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [] });
    expect(await needs(runId)).toMatchObject([{ stage: null, given: [], missing: 1, current: true }, {}]);
    expect((await approve(runId, ann)).run).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      approvals: [{ stage: "rule 0" }, { stage: null }],
    });
  });

  it("a rule that comes holds what waits", async () => {
    const { runId, workspaceId } = await atPlanGate();
    const rule = { name: "late", gate: "PLAN", approverIds: [bob.actorId] };
    await scene.quick("updateWorkspace", { workspaceId, approvalRules: [rule] });
    expect(await approve(runId, ann)).toMatchObject({ code: "FORBIDDEN" });
    expect((await approve(runId, bob)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  });
});

describe("applyAt", () => {
  const soon = () => new Date(scene.server.deps.clock().getTime() + 3_600_000).toISOString();

  it("belongs to the apply gate, and lies ahead", async () => {
    const { runId } = await atPlanGate();
    const issue = { code: "INVALID_INPUT", issues: [{ path: ["applyAt"] }] };
    expect(await approve(runId, ann, { applyAt: soon() })).toMatchObject(issue);
    await approve(runId, ann);
    expect(await approve(runId, ann, { gate: "APPLY", applyAt: "2020-01-01T00:00:00Z" })).toMatchObject(issue);
    expect((await scene.run(runId, "status")).status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("holds a confirmed run until then; the last one who gave a time is heeded", async () => {
    const { runId } = await atPlanGate({ gate: "APPLY", minimum: 2 });
    await approve(runId, ann);
    const applyAt = soon();
    await approve(runId, ann, { gate: "APPLY", applyAt: "2099-01-01T00:00:00Z" });
    await scene.send("withdrawApproval", { runId, gate: "APPLY" }, ann);
    await approve(runId, bob, { gate: "APPLY", applyAt });
    const { run } = await approve(runId, ann, { gate: "APPLY" });
    expect(run).toMatchObject({ status: "CONFIRMED", blockers: [{ kind: "SCHEDULED_AT" }] });
    const [row] = await scene.rows("select apply_at from run where id = $1", runId);
    expect(row.apply_at).toBe(applyAt);
    const [{ count }] = await scene.rows("select count(*) from dispatch where run_id = $1", runId);
    expect(count).toBe(0);
  });
});

it("applyAt is heeded where a relaxed rule lets the run go on by itself", async () => {
  const rule = { name: "two", gate: "APPLY", minimum: 2 };
  const { runId, workspaceId } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { approvalRules: [rule] });
  const applyAt = new Date(scene.server.deps.clock().getTime() + 3_600_000).toISOString();
  await approve(runId, bob, { gate: "APPLY", applyAt });
  await scene.quick("updateWorkspace", { workspaceId, approvalRules: [{ ...rule, minimum: 1 }] });
  const query = `query ($id: ID!) { run(id: $id) { status blockers { kind }
    events(last: 1) { edges { node { ... on RunStatusChanged { to reason } } } } } }`;
  const { run } = await scene.api.ask(query, { id: runId });
  // The event of the status covers the blockers: none follows about them.
  const reason = "The approval rules were changed, and the given approvals satisfy them.";
  expect(run).toEqual({
    status: "CONFIRMED",
    blockers: [{ kind: "SCHEDULED_AT" }],
    events: { edges: [{ node: { to: "CONFIRMED", reason } }] },
  });
});

it("applyAt is heeded as well where rules were relaxed and who gave it approves once more", async () => {
  const slug = "later";
  const rule = { name: "two", gate: "APPLY", minimum: 2 };
  const organizationId = await scene.quick("createOrganization", { slug, name: slug, approvalRules: [rule] });
  const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { organization: slug });
  const applyAt = new Date(scene.server.deps.clock().getTime() + 3_600_000).toISOString();
  await approve(runId, eve, { gate: "APPLY", applyAt });
  await scene.quick("updateOrganization", { organizationId, approvalRules: [{ ...rule, minimum: 1 }] });
  const { run } = await approve(runId, eve, { gate: "APPLY" });
  expect(run).toMatchObject({ status: "CONFIRMED", blockers: [{ kind: "SCHEDULED_AT" }] });
});

it("an approval of the newest plan counts, also where the clock was put back after its replan", async () => {
  const { runId } = await atPlanGate({ minimum: 2 });
  scene.server.advance(3_600_000);
  await scene.quick("replanRun", { runId, planVersion: 1 });
  scene.server.advance(-3_600_000);
  await (await scene.claim(runId)).plan();
  await approve(runId, ann, { planVersion: 2 });
  expect((await approve(runId, bob, { planVersion: 2 })).run.status).toBe("AWAITING_APPLY_APPROVAL");
});

it("a task is approved for its command, and a run of kind APPLY by others than who approved the plan it applies", async () => {
  const workspaceId = await scene.createWorkspace({
    tasksAllowed: true,
    approvalRules: [
      { name: "seen", gate: "PLAN", kinds: ["PLAN"] },
      { name: "other", gate: "APPLY", distinctFromPlanApprover: true },
    ],
  });
  const task = await scene.createRun(workspaceId, { kind: "TASK", command: "terraform version" });
  expect(await needs(task, ann)).toMatchObject([
    { gate: "APPLY", stage: "other", current: true, viewerCanApprove: true },
  ]);
  const approved = await approve(task, ann, { gate: "APPLY", planVersion: 0 });
  const planDigest = createHash("sha256").update("terraform version").digest("hex");
  expect(approved.run).toMatchObject({
    status: "CONFIRMED",
    approvals: [{ planVersion: 0, planDigest, stage: "other" }],
  });
  await scene.quick("cancelRun", { runId: task, force: true });

  const planRunId = await scene.createRun(workspaceId, { kind: "PLAN" });
  await (await scene.claim(planRunId)).plan();
  expect((await approve(planRunId, ann)).run).toMatchObject({ status: "FINISHED", outcome: "PLANNED" });
  const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
  expect((await scene.run(runId, "status")).status).toBe("AWAITING_APPLY_APPROVAL");
  expect(await approve(runId, ann, { gate: "APPLY" })).toMatchObject({ code: "FORBIDDEN" });
  expect((await approve(runId, bob, { gate: "APPLY" })).run.status).toBe("CONFIRMED");
});

describe("rules that nobody can satisfy are refused", () => {
  it.each([
    ["0.minimum", () => [{ approverIds: [ann.actorId], minimum: 2 }]],
    ["0.approverIds.1", () => [{ approverIds: [ann.actorId, "usr_01jd0000000000000000000000"] }]],
    ["1.minimum", () => [{}, { gate: "APPLY", approverIds: [bob.actorId], minimum: 2 }]],
    [
      "1.minimum",
      () => [
        { approverIds: [ann.actorId, bob.actorId], minimum: 2 },
        { gate: "APPLY", approverIds: [ann.actorId, bob.actorId], distinctFromPlanApprover: true },
      ],
    ],
  ])("approvalRules.%s", async (path, rules) => {
    const approvalRules = rules().map((rule, index) => ({ name: `r${index}`, gate: "PLAN", ...rule }));
    const issues = [{ path: ["approvalRules", ...path.split(".")] }];
    const workspaceId = await scene.createWorkspace();
    const [{ organization_id: organizationId }] = await scene.rows(
      "select organization_id from workspace where id = $1",
      workspaceId,
    );
    for (const answer of [
      await scene.send("updateWorkspace", { workspaceId, approvalRules }),
      await scene.send("updateOrganization", { organizationId, approvalRules }),
    ]) {
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues });
    }
  });

  it("whose approver has lost the right", async () => {
    const gone = await scene.login("APPROVER", { actor: "USER" });
    await scene.send("revokeToken", { tokenId: gone.tokenId });
    const approvalRules = [{ name: "r", gate: "PLAN", approverIds: [gone.actorId] }];
    const workspaceId = await scene.createWorkspace();
    expect(await scene.send("updateWorkspace", { workspaceId, approvalRules })).toMatchObject({
      issues: [{ path: ["approvalRules", "0", "approverIds", "0"] }],
    });
  });
});

describe("commentOnRun", () => {
  const comment = (runId: string, text: string, by: Api = ann): Promise<Data> =>
    scene.send("commentOnRun", { runId, text }, by);
  const page = async (runId: string, args: string): Promise<Data> => {
    const query = `query ($id: ID!) { run(id: $id) { comments(${args}) {
      edges { cursor node { id text actor { id } } } pageInfo { hasNextPage } } } }`;
    return (await scene.api.ask(query, { id: runId })).run.comments;
  };

  it("is an event of a live run, decides nothing, and is read in pages", async () => {
    const { runId } = await atPlanGate();
    const before = await scene.run(runId);
    for (const text of ["one", "two", "three"]) await comment(runId, text);
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: before.status, version: before.version + 3, approvals: [] });
    const [{ data }] = await scene.rows(
      "select data from run_event where run_id = $1 order by version desc limit 1",
      runId,
    );
    expect(data).toEqual({ fields: ["comments"] });
    const first = await page(runId, "first: 2");
    expect(first.edges.map(({ node }: Data) => node.text)).toEqual(["one", "two"]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await page(runId, `first: 2, after: "${first.edges[1].cursor}"`);
    expect(rest.edges).toMatchObject([{ node: { text: "three", actor: { id: ann.actorId } } }]);
    const { node } = await scene.api.ask("query ($id: ID!) { node(id: $id) { __typename id } }", {
      id: rest.edges[0].node.id,
    });
    expect(node.__typename).toBe("RunComment");
  });

  it("leaves a run that has ended as it is", async () => {
    const { runId } = await scene.reach("DISCARDED");
    const before = await scene.run(runId);
    expect(await comment(runId, "why?")).toMatchObject({ comment: { text: "why?" }, run: { version: before.version } });
    expect(await scene.run(runId)).toEqual(before);
    expect((await page(runId, "last: 1")).edges).toMatchObject([{ node: { text: "why?" } }]);
  });

  it("is refused without a right, without words, and with too many", async () => {
    const { runId } = await scene.reach("READY");
    expect(await comment(runId, "", await scene.login("READER"))).toMatchObject({ code: "FORBIDDEN" });
    expect(await comment("run_0", "")).toMatchObject({ code: "NOT_FOUND" });
    for (const text of ["", " \n", "x".repeat(10_001), "a\0b"]) {
      expect(await comment(runId, text)).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["text"] }] });
    }
    expect((await page(runId, "first: 1")).edges).toEqual([]);
  });
});
