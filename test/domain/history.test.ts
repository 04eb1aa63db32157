import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

const HOUR_S = 3600;
const TIMELINE = `query ($id: ID!) { run(id: $id) {
  timeline { status leg at actor { __typename name } reason durationSeconds } } }`;
const FIGURES = `statistics(from: $from, to: $to) { from to endedRuns appliedRuns appliedRunsPerDay failureRate
  runs { status outcome count } leadTime { count medianSeconds p95Seconds totalSeconds }
  waitAtGates { count totalSeconds } planDuration { count } applyDuration { count } }`;
const STATISTICS = `query ($id: ID!, $from: DateTime!, $to: DateTime!) { workspace(by: { id: $id }) { ${FIGURES} } }`;
const OF_ORGANIZATION = `query ($slug: String!, $from: DateTime!, $to: DateTime!) { organization(slug: $slug) { ${FIGURES} } }`;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported).toEqual([]));

it("tells every status of a run, with who, why and how long", async () => {
  const approver = await scene.login("APPROVER");
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  scene.server.advance(HOUR_S * 1000);
  await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 }, approver);
  await scene.send("discardRun", { runId, comment: "another day" }, approver);
  const { timeline } = (await scene.api.ask(TIMELINE, { id: runId })).run;
  expect(timeline.map(({ status, leg }: { status: string; leg: string }) => `${status}/${leg}`)).toEqual([
    "QUEUED/PLAN",
    "READY/PLAN",
    "PREPARING/PLAN",
    "INITIALIZING/PLAN",
    "PLANNING/PLAN",
    "AWAITING_PLAN_APPROVAL/PLAN",
    "AWAITING_APPLY_APPROVAL/PLAN",
    "DISCARDED/PLAN",
  ]);
  const [, ready, , , , atPlanGate, atApplyGate, discarded] = timeline;
  expect(ready.actor).toEqual({ __typename: "SystemActor", name: expect.any(String) });
  expect(Math.floor(atPlanGate.durationSeconds / HOUR_S)).toBe(1);
  expect(atApplyGate.actor.__typename).toBe("User");
  expect(Date.parse(discarded.at) - Date.parse(atApplyGate.at)).toBe(Math.round(atApplyGate.durationSeconds * 1000));
  expect(discarded).toMatchObject({ reason: "another day", durationSeconds: null });
});

it("gives the current status no length", async () => {
  const { runId } = await scene.reach("READY");
  const { timeline } = (await scene.api.ask(TIMELINE, { id: runId })).run;
  expect(timeline.at(-1)).toMatchObject({ status: "READY", durationSeconds: null });
});

it("counts and measures what ended within a window", async () => {
  const { workspaceId, runId, job } = await scene.reach("APPLYING");
  scene.server.advance(HOUR_S * 1000);
  await job.message({ type: "applied", appliedAddresses: [] });
  const { finishedAt } = await scene.run(runId, "finishedAt");
  const end = Date.parse(finishedAt);
  const window = { from: new Date(end - 12 * HOUR_S * 1000).toISOString(), to: new Date(end + 1).toISOString() };
  const { statistics } = (await scene.api.ask(STATISTICS, { id: workspaceId, ...window })).workspace;
  expect(statistics).toMatchObject({
    ...window,
    endedRuns: 1,
    appliedRuns: 1,
    appliedRunsPerDay: expect.closeTo(2, 3),
    failureRate: 0,
    runs: [{ status: "FINISHED", outcome: "APPLIED", count: 1 }],
    waitAtGates: { count: 1 },
    planDuration: { count: 1 },
    applyDuration: { count: 1 },
  });
  expect(Math.floor(statistics.leadTime.medianSeconds / HOUR_S)).toBe(1);
  expect(statistics.leadTime.totalSeconds).toBe(statistics.leadTime.medianSeconds);
  const earlier = await scene.api.ask(STATISTICS, { id: workspaceId, from: window.from, to: finishedAt });
  expect(earlier.workspace.statistics).toMatchObject({ endedRuns: 0, failureRate: null, leadTime: null, runs: [] });
});

it("counts and measures the runs of an organization, over all of its workspaces", async () => {
  const slug = "measured";
  await scene.send("createOrganization", { slug, name: "Measured" });
  const from = scene.server.deps.clock().toISOString();
  const first = await scene.reach("APPLYING", "DEPLOY", { organization: slug });
  scene.server.advance(HOUR_S * 1000);
  await first.job.message({ type: "applied", appliedAddresses: [] });
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", { organization: slug });
  await scene.send("discardRun", { runId });
  const elsewhere = await scene.reach("AWAITING_PLAN_APPROVAL");
  await scene.send("discardRun", { runId: elsewhere.runId });
  scene.server.advance(HOUR_S * 1000);
  const to = scene.server.deps.clock().toISOString();
  const { statistics } = (await scene.api.ask(OF_ORGANIZATION, { slug, from, to })).organization;
  expect(statistics).toMatchObject({
    from,
    to,
    endedRuns: 2,
    appliedRuns: 1,
    failureRate: 0,
    leadTime: { count: 1 },
    waitAtGates: { count: 2 },
    planDuration: { count: 2 },
    applyDuration: { count: 1 },
  });
  expect(statistics.runs.toSorted((a: Data, b: Data) => a.status.localeCompare(b.status))).toEqual([
    { status: "DISCARDED", outcome: null, count: 1 },
    { status: "FINISHED", outcome: "APPLIED", count: 1 },
  ]);
});

it("refuses a window of an organization with more than 92 days, naming `from`", async () => {
  const window = { from: "2026-01-01T00:00:00Z", to: "2026-04-04T00:00:00Z" };
  const { errors } = await scene.api.send(OF_ORGANIZATION, { slug: "default", ...window });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining("92 days"),
    extensions: { code: "INVALID_INPUT", issues: [{ path: ["from"] }] },
  });
});

it.each([
  ["2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "to"],
  ["2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z", "to"],
  ["2025-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "from"],
])("refuses the window %s to %s, naming %s", async (from, to, path) => {
  const id = await scene.createWorkspace();
  const { errors } = await scene.api.send(STATISTICS, { id, from, to });
  expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", issues: [{ path: [path] }] });
});
