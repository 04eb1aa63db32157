/** Auto-apply that a freeze window holds back: the apply begins by the same rule when the window closes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ringAlarms } from "../../src/domain/lease/ring-alarms.ts";
import type { Data } from "../support/api.ts";
import { openScene, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const MINUTE = 60_000;
const EAGER = { planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
const now = (): number => scene.server.deps.clock().getTime();

/** A window that opened with the current minute; and when it closes. */
function openWindow(minutes: number): { window: object; closesAt: string } {
  const opened = Math.floor(now() / MINUTE) * MINUTE;
  const at = new Date(opened);
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  const window = { name: `for ${minutes} minutes`, cron, durationMinutes: minutes };
  return { window, closesAt: new Date(opened + minutes * MINUTE).toISOString() };
}

/** Moves the clock, and has the system look at it. */
async function pass(ms: number): Promise<void> {
  scene.server.advance(ms);
  await ringAlarms(scene.server.deps, null);
}
const passTo = (at: string): Promise<void> => pass(Date.parse(at) - now());

async function read(id: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status leg outcome applyAt requiredAction approvals { gate }
    blockers { kind } events(last: 1) { edges { node { ... on RunStatusChanged { from to reason } } } } } }`;
  const { events, ...run } = (await scene.api.ask(query, { id })).run;
  return { ...run, last: events.edges[0].node };
}

/** The fields of the run that its last event names. */
async function lastChanged(id: string): Promise<Data> {
  const query =
    "query ($id: ID!) { run(id: $id) { events(last: 1) { edges { node { ... on RunChanged { fields } } } } } }";
  return (await scene.api.ask(query, { id })).run.events.edges[0].node.fields;
}

/** A run whose plan came while the window was open. */
async function hold(minutes = 60, settings: object = EAGER, input: object = {}): Promise<Spot & { closesAt: string }> {
  const { window, closesAt } = openWindow(minutes);
  const workspaceId = await scene.createWorkspace({ ...settings, freezeWindows: [window] });
  const runId = await scene.createRun(workspaceId, input);
  const job = await scene.claim(runId);
  expect((await job.plan()).body).toEqual({ goOn: false });
  return { workspaceId, runId, job, closesAt };
}

describe("a plan that auto-apply covers", () => {
  it("waits for the end of the window and is applied then, without a person", async () => {
    const { runId, closesAt } = await hold();
    expect(await read(runId)).toMatchObject({
      status: "AWAITING_APPLY_APPROVAL",
      requiredAction: "CONFIRM_APPLY",
      applyAt: closesAt,
    });
    await pass(Date.parse(closesAt) - now() - 1);
    expect((await read(runId)).status).toBe("AWAITING_APPLY_APPROVAL");
    await pass(1);
    expect(await read(runId)).toMatchObject({
      status: "CONFIRMED",
      leg: "APPLY",
      applyAt: null,
      approvals: [],
      last: { from: "AWAITING_APPLY_APPROVAL", to: "CONFIRMED", reason: expect.stringMatching(/freeze window/) },
    });
    const apply = await scene.claim(runId);
    await apply.apply(1);
    expect(await read(runId)).toMatchObject({ status: "FINISHED", outcome: "APPLIED" });
  });

  it("may be approved before: it then waits as every approved run", async () => {
    const { runId, closesAt } = await hold();
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    expect(await read(runId)).toMatchObject({
      status: "CONFIRMED",
      applyAt: null,
      approvals: [{ gate: "APPLY" }],
      blockers: [{ kind: "FREEZE_WINDOW" }],
    });
    await passTo(closesAt);
    await scene.claim(runId);
  });

  it("may be discarded or planned again before, and is not applied then", async () => {
    const discarded = await hold();
    const replanned = await hold();
    await scene.quick("discardRun", { runId: discarded.runId, planVersion: 1 });
    await scene.quick("replanRun", { runId: replanned.runId, planVersion: 1 });
    await passTo(discarded.closesAt);
    expect(await read(discarded.runId)).toMatchObject({ status: "DISCARDED", applyAt: null });
    expect(await read(replanned.runId)).toMatchObject({ status: "REPLAN_REQUESTED", applyAt: null });
  });

  it("is not given up by the limit of approvals while the window is open", async () => {
    const { runId, closesAt } = await hold(60, { ...EAGER, limits: { applyApprovalSeconds: 600 } });
    await pass(30 * MINUTE);
    expect((await read(runId)).status).toBe("AWAITING_APPLY_APPROVAL");
    await passTo(closesAt);
    expect((await read(runId)).status).toBe("CONFIRMED");
  });

  it("is applied as soon as the window is taken away, and later where it is made longer", async () => {
    const shortened = await hold();
    const extended = await hold();
    await scene.quick("updateWorkspace", { workspaceId: shortened.workspaceId, freezeWindows: [] });
    const { window, closesAt } = openWindow(120);
    await scene.quick("updateWorkspace", { workspaceId: extended.workspaceId, freezeWindows: [window] });
    await pass(0);
    expect((await read(shortened.runId)).status).toBe("CONFIRMED");
    expect(await read(extended.runId)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", applyAt: closesAt });
    expect(await lastChanged(extended.runId)).toEqual(["applyAt"]);
    // Where it closes as before, no event tells of it.
    const { version } = await scene.run(extended.runId, "version");
    const renamed = { ...window, name: "renamed" };
    await scene.quick("updateWorkspace", { workspaceId: extended.workspaceId, freezeWindows: [renamed] });
    await pass(0);
    expect((await scene.run(extended.runId, "version")).version).toBe(version);
    await passTo(extended.closesAt);
    expect((await read(extended.runId)).status).toBe("AWAITING_APPLY_APPROVAL");
    await passTo(closesAt);
    expect((await read(extended.runId)).status).toBe("CONFIRMED");
  });

  it.each<[string, (spot: Spot) => Promise<unknown>]>([
    ["a lock", ({ workspaceId }) => scene.send("lockWorkspace", { workspaceId })],
    ["a pause", ({ workspaceId }) => scene.quick("updateWorkspace", { workspaceId, paused: true })],
    ["a stricter rule", ({ workspaceId }) => scene.quick("updateWorkspace", { workspaceId, autoApply: "NEVER" })],
  ])("asks a person where %s has come meanwhile", async (_what, change) => {
    const held = await hold();
    await change(held);
    await passTo(held.closesAt);
    expect(await read(held.runId)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", applyAt: null });
    await scene.send("unlockWorkspace", { workspaceId: held.workspaceId });
    await scene.quick("updateWorkspace", { workspaceId: held.workspaceId, paused: false, ...EAGER });
    await pass(24 * 60 * MINUTE);
    expect((await read(held.runId)).status).toBe("AWAITING_APPLY_APPROVAL");
  });

  it("is applied after people have accepted the plan in the window", async () => {
    const rule = { name: "plans", gate: "PLAN" };
    const { runId, closesAt } = await hold(60, { ...EAGER, approvalRules: [rule] });
    expect(await read(runId)).toMatchObject({ status: "AWAITING_PLAN_APPROVAL", applyAt: null });
    await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
    expect(await read(runId)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", applyAt: closesAt });
    await passTo(closesAt);
    expect((await read(runId)).status).toBe("CONFIRMED");
  });

  it("of a PLAN run is applied by its APPLY run", async () => {
    const { window, closesAt } = openWindow(60);
    const workspaceId = await scene.createWorkspace({ ...EAGER, freezeWindows: [window] });
    const planRunId = await scene.plan(workspaceId);
    const runId = await scene.createRun(workspaceId, { kind: "APPLY", planRunId });
    expect(await read(runId)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", applyAt: closesAt });
    await passTo(closesAt);
    expect((await read(runId)).status).toBe("CONFIRMED");
  });
});

it.each<[string, object, object]>([
  ["its rule applies nothing", { ...EAGER, autoApply: "NEVER" }, {}],
  ["it destroys everything", EAGER, { kind: "DESTROY" }],
])("a plan asks a person before and after the window where %s", async (_why, settings, input) => {
  const { runId, workspaceId, closesAt } = await hold(60, settings, input);
  expect(await read(runId)).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", applyAt: null });
  await scene.quick("updateWorkspace", { workspaceId, ...EAGER });
  await passTo(closesAt);
  expect((await read(runId)).status).toBe("AWAITING_APPLY_APPROVAL");
});
