import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import type { FailureReport } from "../../src/model/lifecycle/failure.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

async function eventsOf(runId: string): Promise<Data[]> {
  const { run } = await scene.api.ask(
    `query ($id: ID!) { run(id: $id) { events(first: 100) { edges { node { __typename version
      ... on RunStatusChanged { from to reason } ... on PlanReady { plan { version } } } } } } }`,
    { id: runId },
  );
  return run.events.edges.map((edge: Data) => edge.node);
}

describe("the targets of the next plan", () => {
  it.each(
    walk(
      [
        ["absent: the run's own", {}, ["terraform_data.a", "terraform_data.b"]],
        ["null: the run's own", { targets: null }, ["terraform_data.a", "terraform_data.b"]],
        ["empty: the whole configuration", { targets: [] }, []],
        ["given: these", { targets: ['module.x["a b"].terraform_data.c[0]'] }, ['module.x["a b"].terraform_data.c[0]']],
      ],
      2,
    ),
  )("%s", async (_, input, expected) => {
    const workspaceId = await scene.createWorkspace();
    const targets = ["terraform_data.a", "terraform_data.b"];
    const runId = await scene.createRun(workspaceId, { targets });
    const first = await scene.claim(runId);
    expect(first.job.targets).toEqual(targets);
    await first.plan();
    const { run } = await scene.send("replanRun", { runId, planVersion: 1, comment: "again", ...input });
    expect(run).toMatchObject({ status: "REPLAN_REQUESTED", leg: "REPLAN", targets: expected, requiredAction: "WAIT" });
    const second = await scene.claim(runId);
    expect(second.job).toMatchObject({ leg: "REPLAN", targets: expected, plan: null });
    await second.plan();
    const after = await scene.run(runId);
    expect(after).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      leg: "REPLAN",
      plan: { version: 2, isCurrent: true },
    });
    expect(after.plans).toEqual([
      { version: 1, isCurrent: false, targets },
      { version: 2, isCurrent: true, targets: expected },
    ]);
  });

  it.each(
    walk(
      [
        ["no address", { targets: ["not an address"] }, "targets.0"],
        ["an option", { targets: ["terraform_data.a", "-destroy"] }, "targets.1"],
        ["a line break", { targets: ["a.b\nc"] }, "targets.0"],
        ["the same twice", { targets: ["a.b", "a.b"] }, "targets"],
        ["too many", { targets: Array.from({ length: 501 }, (_, i) => `a.b${i}`) }, "targets"],
        ["no address of a replacement", { replace: ["a.b", "-destroy"] }, "replace.1"],
      ],
      2,
    ),
  )("are refused where they are %s", async (_, input, path) => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
    const before = await scene.run(runId);
    const answer = await scene.send("replanRun", { runId, planVersion: 1, ...input });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: path.split(".") }] });
    expect(await scene.run(runId)).toEqual(before);
  });
});

describe("an address that matches nothing", () => {
  const KNOWN = ["terraform_data.a", 'terraform_data.b["x"]', 'module.m["k"].terraform_data.c', "data.http.d"];
  const waiting = async (plan: object, input: object = {}) => {
    const runId = await scene.createRun(await scene.createWorkspace(), input);
    await (await scene.claim(runId)).plan(plan);
    await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    return { runId, before: await scene.run(runId) };
  };

  it.each(
    walk(
      [
        "terraform_data.nope",
        'terraform_data.b["(sensitive value)"]',
        "module.nope",
        'module.m["l"]',
        "module.m.terraform_data.c",
        "data.http.nope",
      ],
      2,
    ),
  )("is refused by name, and the run waits as before: %s", async (target) => {
    const { runId, before } = await waiting({ instances: KNOWN });
    const targets = ["terraform_data.a", target];
    const answer = await scene.send("replanRun", { runId, planVersion: 1, targets });
    expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["targets", "1"] }] });
    expect(answer.issues[0].message).toContain(target);
    expect(await scene.run(runId)).toEqual(before);
    expect(before).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", approvals: [{ counts: true }] });
  });

  it.each(walk(["terraform_data.nope", "terraform_data.b", "module.m.terraform_data.c"], 1))(
    "is refused by name where it is to be replaced: %s",
    async (address) => {
      const { runId, before } = await waiting({ instances: KNOWN });
      const replace = ["terraform_data.a", address];
      const answer = await scene.send("replanRun", { runId, planVersion: 1, replace });
      const message = `must match a resource in the plan, which has no instance ${address}. An instance of count or for_each has its key in its address, such as aws_instance.web[0].`;
      expect(answer).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: ["replace", "1"], message }] });
      expect(await scene.run(runId)).toEqual(before);
      const known = ['terraform_data.b["x"]', 'module.m["k"].terraform_data.c'];
      const { run } = await scene.send("replanRun", { runId, planVersion: 1, replace: known });
      expect(run).toMatchObject({ status: "REPLAN_REQUESTED", replace: known });
    },
  );

  it("is none of those that an earlier plan of the run knows", async () => {
    const { runId } = await waiting({ instances: KNOWN });
    await scene.send("replanRun", { runId, planVersion: 1, targets: ["data.http.d", "module.m"] });
    await (await scene.claim(runId)).plan({ complete: false, instances: ["terraform_data.new"] });
    const refused = await scene.send("replanRun", { runId, planVersion: 2, targets: ["terraform_data.nope"] });
    expect(refused.code).toBe("INVALID_INPUT");
    const targets = [...KNOWN, "terraform_data.new"];
    expect((await scene.send("replanRun", { runId, planVersion: 2, targets })).run.status).toBe("REPLAN_REQUESTED");
  });

  it.each([
    ["a plan that does not say what it knows", {}],
    ["a plan that is limited to targets", { complete: false, instances: KNOWN }],
  ])("is left to the runner after %s, and the run comes back to its gate", async (_, plan) => {
    const options = { targets: ["terraform_data.a"], replace: ["terraform_data.a"] };
    const { runId, before } = await waiting(plan, options);
    const missing = { targets: ["terraform_data.nope"], replace: ["terraform_data.none"] };
    await scene.send("replanRun", { runId, planVersion: 1, ...missing });
    const job = await scene.claim(runId);
    expect(job.job).toMatchObject(missing);
    await job.message({ type: "prepared" });
    await job.message({ type: "initialized" });
    const summary = "Nothing matches the target terraform_data.nope.";
    const failure = {
      code: "TARGET_NOT_FOUND",
      stage: "PLAN",
      summary,
      message: summary,
      evidence: [],
    } satisfies FailureReport;
    expect(await job.message({ type: "failed", failure })).toMatchObject({ body: { goOn: false } });
    const after = await scene.run(runId);
    expect(after).toMatchObject({
      status: "AWAITING_PLAN_APPROVAL",
      ...options,
      plan: { ...before.plan, isCurrent: true },
      plans: before.plans,
      failure: null,
      approvals: [{ counts: false }],
    });
    expect(after.phases.map(({ kind, attempt, status }: Data) => `${kind} ${attempt} ${status}`).slice(-2)).toEqual([
      "PLAN 2 FAILED",
      "PLAN_APPROVAL 2 RUNNING",
    ]);
    expect((await eventsOf(runId)).at(-1)).toMatchObject({ to: "AWAITING_PLAN_APPROVAL", reason: summary });
    await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    await (await scene.claim(runId)).apply(1);
    expect(await scene.run(runId, "status", "outcome")).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
  });

  it("fails a run that was asked to stop meanwhile, and one that has no plan yet", async () => {
    const { runId } = await waiting({});
    await scene.send("replanRun", { runId, planVersion: 1, targets: ["a.b"] });
    const failure: FailureReport = { code: "TARGET_NOT_FOUND", summary: "No.", message: "No.", evidence: [] };
    const replan = await scene.claim(runId);
    await replan.message({ type: "prepared" });
    await replan.message({ type: "initialized" });
    await scene.send("cancelRun", { runId });
    await replan.message({ type: "failed", failure });
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "TARGET_NOT_FOUND" },
    });
    const first = await scene.createRun(await scene.createWorkspace(), { targets: ["a.b"] });
    const job = await scene.claim(first);
    await job.message({ type: "prepared" });
    await job.message({ type: "initialized" });
    await job.message({ type: "failed", failure });
    expect(await scene.run(first, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "TARGET_NOT_FOUND" },
    });
  });
});

it("voids the approvals of the older plan at once, and only the new plan is asked about and applied", async () => {
  const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
  const counts = (run: Data) =>
    run.approvals.map((approval: Data) => [approval.planVersion, approval.gate, approval.counts]);
  expect(counts(await scene.run(runId))).toEqual([[1, "PLAN", true]]);
  await scene.send("replanRun", { runId, planVersion: 1 });
  const waiting = await scene.run(runId);
  expect(counts(waiting)).toEqual([[1, "PLAN", false]]);
  expect(waiting.plan).toMatchObject({ version: 1, isCurrent: false });
  const job = await scene.claim(runId);
  await job.plan();
  const stale = await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 });
  const { plan } = await scene.run(runId, "plan");
  expect(stale).toMatchObject({ code: "STALE_PLAN", seen: 1, current: { id: plan.id, version: 2 } });
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 2 });
  await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 2 });
  const confirmed = await scene.run(runId);
  expect(counts(confirmed)).toEqual([
    [1, "PLAN", false],
    [2, "PLAN", true],
    [2, "APPLY", true],
  ]);
  const apply = await scene.claim(runId);
  expect(apply.job.plan).toMatchObject({ version: 2, digest: confirmed.plan.digest });
  await apply.apply(1);
  const ended = await scene.run(runId);
  expect(ended).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
  expect(counts(ended)).toEqual(counts(confirmed));
});

it.each(["REPLAN_REQUESTED", "PLANNING/REPLAN"] as const)(
  "leaves the approvals void where it comes to no plan: cancelled in %s",
  async (place) => {
    const { runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
    await scene.send("replanRun", { runId, planVersion: 1 });
    const job = place === "REPLAN_REQUESTED" ? null : await scene.claim(runId);
    await scene.send("cancelRun", { runId });
    await job?.message({ type: "stopped" });
    const run = await scene.run(runId);
    expect(run.status).toBe(job === null ? "CANCELED" : "STOPPED");
    expect(run.approvals).toMatchObject([{ counts: false }]);
  },
);

it("tells its story in events: the older plan's number stays with its event", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  await scene.send("replanRun", { runId, planVersion: 1, comment: "less" });
  await (await scene.claim(runId)).plan();
  const events = await eventsOf(runId);
  expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.__typename === "PlanReady").map(({ plan }) => plan.version)).toEqual([1, 2]);
  const statuses = events.filter((event) => event.__typename === "RunStatusChanged");
  expect(statuses.map(({ to }) => to)).toEqual([
    "QUEUED",
    "READY",
    "PREPARING",
    "INITIALIZING",
    "PLANNING",
    "AWAITING_PLAN_APPROVAL",
    "REPLAN_REQUESTED",
    "PREPARING",
    "INITIALIZING",
    "PLANNING",
    "AWAITING_PLAN_APPROVAL",
  ]);
  expect(statuses.map(({ from }) => from)).toEqual([null, ...statuses.slice(0, -1).map(({ to }) => to)]);
  expect(statuses.find(({ to }) => to === "REPLAN_REQUESTED").reason).toBe("less");
  const { phases } = await scene.run(runId, "phases");
  expect(phases.map(({ kind, attempt, status }: Data) => `${kind} ${attempt} ${status}`)).toEqual([
    "PREPARE 1 PASSED",
    "INIT 1 PASSED",
    "PLAN 1 PASSED",
    "PLAN_APPROVAL 1 CANCELED",
    "PREPARE 2 PASSED",
    "INIT 2 PASSED",
    "PLAN 2 PASSED",
    "PLAN_APPROVAL 2 RUNNING",
  ]);
});

it("begins its attempts anew: what was lost while planning does not count", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const attempts = async () => (await scene.rows("select attempt from run where id = $1", runId))[0].attempt;
  expect(await attempts()).toBe(1);
  await scene.send("replanRun", { runId, planVersion: 1 });
  expect(await attempts()).toBe(0);
  await (await scene.claim(runId)).plan();
  expect(await attempts()).toBe(1);
  // From the leg REPLAN to the leg REPLAN, too.
  await scene.send("replanRun", { runId, planVersion: 2 });
  expect(await attempts()).toBe(0);
});

it("a replan can find that there is nothing to do any more", async () => {
  const { runId, workspaceId } = await scene.reach("REPLAN_REQUESTED");
  const job = await scene.claim(runId);
  await job.message({ type: "prepared" });
  await job.message({ type: "initialized" });
  await job.request("PUT", "archive", Buffer.from("archive"));
  await job.message({ type: "planned", plan: fakePlan({ hasChanges: false, resourceChanges: [] }) });
  expect(await scene.run(runId, "status", "outcome", "plan")).toMatchObject({
    status: "FINISHED",
    outcome: "NO_CHANGES",
    plan: { version: 2 },
  });
  expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
});

it("belongs to a destroy, too, and the destroy goes on with the new plan", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DESTROY");
  await scene.send("replanRun", { runId, planVersion: 1 });
  await (await scene.claim(runId)).plan();
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 2 });
  expect((await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 2 })).run.leg).toBe("DESTROY");
  await (await scene.claim(runId)).apply(1);
  expect(await scene.run(runId, "status", "outcome")).toMatchObject({ status: "FINISHED", outcome: "DESTROYED" });
});
