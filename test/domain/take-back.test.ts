/** What is approved and waits for a runner is taken back: by a withdrawal to its gate, or by a discard. */
import { ADMIN_ACTOR_ID } from "../../src/model/people/actor.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ringAlarms } from "../../src/domain/lease/ring-alarms.ts";
import type { Api, Data } from "../support/api.ts";
import { claim } from "../support/fake-runner.ts";
import { findViolations } from "../support/run-invariants.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, openScene, type Scene, type Spot } from "./scene.ts";

type Person = Api & { tokenId: string; actorId: string };

let scene: Scene;
let ann: Person;
let bob: Person;
let wes: Person;
beforeAll(async () => {
  scene = await openScene();
  ann = await scene.person("APPROVER");
  bob = await scene.person("APPROVER");
  // The administrator is a person, too.
  await scene.rows("update actor set identified_by = 'PROVIDER' where id = $1", ADMIN_ACTOR_ID);
  wes = await scene.login("WRITER");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(async () => {
  expect(scene.server.reported.splice(0)).toEqual([]);
  expect(await findViolations((text) => scene.rows(text))).toEqual([]);
});

const MINUTE = 60_000;
const now = () => scene.server.deps.clock().getTime();
/** Is open now, and for another hour. */
const freezeWindow = () => {
  const opened = new Date(now() - MINUTE);
  return { name: "freeze", cron: `${opened.getUTCMinutes()} ${opened.getUTCHours()} * * *`, durationMinutes: 61 };
};

const approve = (runId: string, by: Api, input: object = {}): Promise<Data> =>
  scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1, ...input }, by);
const withdraw = (runId: string, by: Api, input: object = {}): Promise<Data> =>
  scene.send("withdrawApproval", { runId, gate: "APPLY", ...input }, by, EVERY_PART);
const actionOf = async (runId: string, name: string, by: Api): Promise<Data> => {
  const { run } = await by.ask("query ($id: ID!) { run(id: $id) { actions { action allowed code reason } } }", {
    id: runId,
  });
  return run.actions.find((each: Data) => each.action === name);
};
const dispatched = (runId: string) => scene.rows("select run_id from dispatch where run_id = $1", runId);
const applyAtOf = async (runId: string) =>
  (await scene.rows("select apply_at, alarm_at from run where id = $1", runId))[0];

/** A run that ann approved, and what is in its way. */
const WAITS: [blocker: string, reach: () => Promise<Spot>][] = [
  [
    "FREEZE_WINDOW",
    async () => {
      const spot = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { freezeWindows: [freezeWindow()] });
      await approve(spot.runId, ann);
      return spot;
    },
  ],
  [
    "SCHEDULED_AT",
    async () => {
      const spot = await scene.reach("AWAITING_APPLY_APPROVAL");
      await approve(spot.runId, ann, { applyAt: new Date(now() + 60 * MINUTE).toISOString() });
      return spot;
    },
  ],
  [
    "ORGANIZATION_LIMIT",
    async () => {
      const slug = `full-${++count}`;
      await scene.quick("createOrganization", { slug, name: slug, concurrencyLimit: 1 });
      const spot = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { organization: slug });
      await scene.reach("PLANNING", "DEPLOY", { organization: slug });
      await approve(spot.runId, ann);
      return spot;
    },
  ],
];
let count = 0;

describe.each(walk(WAITS, 1))("a run that waits with %s", (blocker, reach) => {
  it("is discarded by an approver, and the next run of its workspace follows", async () => {
    const { runId, workspaceId } = await reach();
    expect(await scene.run(runId, "status", "blockers")).toMatchObject({
      status: "CONFIRMED",
      blockers: [{ kind: blocker }],
    });
    const next = await scene.createRun(workspaceId);
    expect(await scene.send("discardRun", { runId }, wes)).toMatchObject({ code: "FORBIDDEN" });
    expect((await scene.run(runId, "status")).status).toBe("CONFIRMED");

    const { run } = await scene.send("discardRun", { runId, planVersion: 1, comment: "not tonight" }, bob, EVERY_PART);
    expect(run).toMatchObject({ status: "DISCARDED", leg: "PLAN", forced: false, reason: "not tonight", blockers: [] });
    expect(await dispatched(runId)).toEqual([]);
    expect((await scene.workspace(workspaceId)).currentRun.id).toBe(next);
    expect((await scene.run(next, "status")).status).toBe("READY");
  });

  it("returns to its gate when its approver withdraws, and can be approved again", async () => {
    const { runId, workspaceId } = await reach();
    expect(await withdraw(runId, bob)).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { status: "CONFIRMED" } });
    expect(await withdraw(runId, wes)).toMatchObject({ code: "FORBIDDEN" });
    const { run } = await withdraw(runId, ann, { comment: "wait" });
    expect(run).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      leg: "PLAN",
      requiredAction: "CONFIRM_APPLY",
      blockers: [],
      approvals: [
        { gate: "PLAN" },
        { decision: "APPROVED", counts: false },
        { decision: "WITHDRAWN", comment: "wait" },
      ],
    });
    expect(run.phases.slice(-2)).toEqual([
      { kind: "APPLY_APPROVAL", attempt: 1, status: "PASSED" },
      { kind: "APPLY_APPROVAL", attempt: 2, status: "RUNNING" },
    ]);
    expect((await applyAtOf(runId)).apply_at).toBeNull();
    expect(await dispatched(runId)).toEqual([]);
    expect((await scene.workspace(workspaceId)).currentRun.id).toBe(runId);
    const { run: told } = await scene.api.ask(
      `query ($id: ID!) { run(id: $id) { timeline { status leg reason actor { id } }
        events(last: 3) { edges { node { __typename ... on RunStatusChanged { from to reason } } } } } }`,
      { id: runId },
    );
    expect(told.events.edges.map(({ node }: Data) => node)).toEqual([
      { __typename: "ApprovalRecorded" },
      { __typename: "PhaseChanged" },
      { __typename: "RunStatusChanged", from: "CONFIRMED", to: "AWAITING_APPLY_APPROVAL", reason: "wait" },
    ]);
    expect(told.timeline.slice(-2)).toMatchObject([
      { status: "CONFIRMED", leg: "APPLY" },
      { status: "AWAITING_APPLY_APPROVAL", leg: "PLAN", reason: "wait", actor: { id: ann.actorId } },
    ]);
    expect(await approve(runId, bob)).toMatchObject({ run: { status: "CONFIRMED", leg: "APPLY" } });
  });

  it("says so in its actions, to each who may", async () => {
    const { runId } = await reach();
    for (const action of ["DISCARD", "WITHDRAW_APPROVAL"]) {
      expect(await actionOf(runId, action, wes)).toMatchObject({ allowed: false, code: "FORBIDDEN" });
      expect(await actionOf(runId, action, ann)).toMatchObject({ allowed: true, code: null, reason: null });
    }
    expect(await actionOf(runId, "DISCARD", bob)).toMatchObject({ allowed: true });
    expect(await actionOf(runId, "WITHDRAW_APPROVAL", bob)).toMatchObject({
      allowed: false,
      code: "RUN_STATE_CONFLICT",
      reason: "You have no counted approval at the gate APPLY to withdraw.",
    });
    const cancel = await actionOf(runId, "CANCEL", ann);
    expect(cancel).toMatchObject({ allowed: false, code: "RUN_STATE_CONFLICT" });
    expect(cancel.reason).toContain("`discardRun` or `withdrawApproval`");
    expect(await scene.send("cancelRun", { runId }, ann)).toMatchObject({ message: cancel.reason });
    await scene.send("discardRun", { runId }, ann);
  });
});

it("a plan that a replan made is awaited on its own leg again", async () => {
  const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
  await scene.quick("replanRun", { runId, planVersion: 1 });
  await (await scene.claim(runId)).plan();
  await approve(runId, ann, { gate: "PLAN", planVersion: 2 });
  await approve(runId, ann, { planVersion: 2 });
  expect((await withdraw(runId, ann)).run).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", leg: "REPLAN" });
  await approve(runId, ann, { planVersion: 2 });
  expect(await scene.send("discardRun", { runId, planVersion: 1 }, ann)).toMatchObject({ code: "STALE_PLAN" });
  expect((await scene.send("discardRun", { runId, planVersion: 2 }, ann)).run).toMatchObject({
    status: "DISCARDED",
    leg: "REPLAN",
  });
});

it("returns to the plan gate where that was the last one", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", {
    planApproval: "WHEN_REQUIRED",
    autoApply: "ALWAYS",
    approvalRules: [{ name: "seen", gate: "PLAN" }],
  });
  expect((await approve(runId, ann, { gate: "PLAN" })).run.status).toBe("CONFIRMED");
  expect(await withdraw(runId, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
  expect((await withdraw(runId, ann, { gate: "PLAN" })).run).toMatchObject({
    status: "AWAITING_PLAN_APPROVAL",
    leg: "PLAN",
    requiredAction: "REVIEW_PLAN",
  });
  expect((await scene.send("rejectRun", { runId, planVersion: 1 }, ann)).run.status).toBe("REJECTED");
});

it("a gate before the last one is not opened again", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  await approve(runId, ann, { gate: "PLAN" });
  await approve(runId, bob);
  expect(await withdraw(runId, ann, { gate: "PLAN" })).toMatchObject({
    code: "RUN_STATE_CONFLICT",
    message: "The run has passed the gate APPLY. Only approvals of that gate can be withdrawn.",
  });
  expect(await actionOf(runId, "WITHDRAW_APPROVAL", ann)).toMatchObject({ allowed: false });
  await scene.send("discardRun", { runId }, ann);
});

it("one of two approvers is enough to take it back; the other approval still counts", async () => {
  const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", {
    approvalRules: [{ name: "two", gate: "APPLY", minimum: 2 }],
  });
  await approve(runId, ann);
  await approve(runId, bob);
  const { run } = await withdraw(runId, bob);
  expect(run).toMatchObject({ status: "AWAITING_APPLY_APPROVAL" });
  expect((await approve(runId, scene.api)).run.status).toBe("CONFIRMED");
  await scene.send("discardRun", { runId }, ann);
});

it("stays approved where the other approvals are enough by now, and heeds their time", async () => {
  const slug = "relaxed";
  const rule = { name: "two", gate: "APPLY", minimum: 2 };
  const organizationId = await scene.quick("createOrganization", { slug, name: slug, approvalRules: [rule] });
  const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { organization: slug });
  const [soon, later] = [10, 60].map((minutes) => new Date(now() + minutes * MINUTE).toISOString());
  await approve(runId, ann, { applyAt: soon });
  await approve(runId, bob, { applyAt: later });
  expect(await applyAtOf(runId)).toEqual({ apply_at: later, alarm_at: later });
  await scene.quick("updateOrganization", { organizationId, approvalRules: [{ ...rule, minimum: 1 }] });
  const { run } = await withdraw(runId, bob);
  expect(run).toMatchObject({ status: "CONFIRMED", leg: "APPLY" });
  expect(await applyAtOf(runId)).toEqual({ apply_at: soon, alarm_at: soon });
  expect((await withdraw(runId, ann)).run.status).toBe("AWAITING_APPLY_APPROVAL");
  expect((await applyAtOf(runId)).apply_at).toBeNull();
});

it("waits at its gate from the beginning of the gate's limit", async () => {
  const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { limits: { applyApprovalSeconds: 600 } });
  scene.server.advance(9 * MINUTE);
  await approve(runId, ann);
  scene.server.advance(9 * MINUTE);
  await withdraw(runId, ann);
  scene.server.advance(9 * MINUTE);
  await ringAlarms(scene.server.deps, null);
  expect((await scene.run(runId, "status")).status).toBe("AWAITING_APPLY_APPROVAL");
  scene.server.advance(2 * MINUTE);
  await ringAlarms(scene.server.deps, null);
  expect((await scene.run(runId, "status")).status).toBe("DISCARDED");
});

it("a plan that went stale while the workspace was let go is not asked about again", async () => {
  const { workspaceId, runId } = await scene.reach("AWAITING_APPLY_APPROVAL", "DEPLOY", { lockScope: "EXECUTION" });
  const other = await scene.createRun(workspaceId);
  const job = await scene.claim(other);
  await approve(runId, ann);
  await scene.rows("update workspace set state_serial = 7 where id = $1", workspaceId);
  expect((await withdraw(runId, ann)).run).toMatchObject({
    status: "DISCARDED",
    leg: "PLAN",
    reason: expect.stringContaining("serial"),
  });
  await job.plan();
});

it.each(walk(["DESTROY", "TASK", "APPLY"] as const, 1))("a run of kind %s is taken back as well", async (kind) => {
  const planVersion = kind === "TASK" ? 0 : 1;
  const leg = { DESTROY: "PLAN", TASK: "TASK", APPLY: "APPLY" }[kind];
  const atGate = async () => {
    if (kind !== "TASK") return (await scene.reach("AWAITING_APPLY_APPROVAL", kind)).runId;
    const workspaceId = await scene.createWorkspace({ tasksAllowed: true });
    return scene.createRun(workspaceId, { kind, command: "true" });
  };
  const runId = await atGate();
  expect((await approve(runId, ann, { planVersion })).run.status).toBe("CONFIRMED");
  expect((await withdraw(runId, ann)).run).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", leg });
  await approve(runId, ann, { planVersion });
  expect((await scene.send("discardRun", { runId, planVersion }, ann)).run).toMatchObject({ status: "DISCARDED", leg });
});

describe("once a runner has it", () => {
  it("it is not taken back", async () => {
    const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
    await approve(runId, ann);
    await scene.claim(runId);
    expect(await withdraw(runId, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { status: "PREPARING" } });
    expect(await scene.send("discardRun", { runId }, ann)).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    for (const action of ["DISCARD", "WITHDRAW_APPROVAL"]) {
      expect(await actionOf(runId, action, ann)).toMatchObject({ allowed: false, code: "RUN_STATE_CONFLICT" });
    }
  });

  it.each(["discardRun", "withdrawApproval"] as const)("%s and a claim that meet: one of them wins", async (rival) => {
    const { server } = scene;
    for (let round = 0; round < 6; round++) {
      const { runId } = await scene.reach("CONFIRMED");
      const take = () => claim(server.url, server.runnerToken);
      const back = () => scene.send(rival, { runId, ...(rival === "withdrawApproval" && { gate: "APPLY" }) });
      const [job, answer] =
        round % 2 === 0 ? await Promise.all([take(), back()]) : (await Promise.all([back(), take()])).toReversed();
      const { status } = await scene.run(runId, "status");
      const claimed = job !== null && job.job.run.id === runId;
      expect(claimed).toBe(status === "PREPARING");
      expect(answer.__typename.endsWith("Success")).toBe(!claimed);
    }
  });
});
