import { describe, expect, test } from "vitest";
import { type ChangeDetails, transitionChanges } from "../../../src/domain/lifecycle/transition-changes.ts";
import type { RunKind, RunLeg, RunOutcome } from "../../../src/model/lifecycle/run-kind.ts";
import type { RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { LockScope } from "../../../src/model/workspace/workspace.ts";
import { aContext, aRun, later } from "../../support/decided-run.ts";

interface Step {
  run?: Partial<Run>;
  to: RunStatus;
  leg?: RunLeg;
  outcome?: RunOutcome | null;
  held?: true;
  details?: Omit<ChangeDetails, "actorId">;
  lockScope?: LockScope;
  frozenUntil?: string | null;
}

const AT = later(60);

function changes({ run, to, leg, outcome = null, held, details = {}, lockScope = "RUN", frozenUntil = null }: Step) {
  const before = aRun({ version: 7, ...run });
  const context = aContext({ workspace: { lockScope }, frozenUntil });
  const change = { status: to, leg: leg ?? before.leg, outcome };
  const accepted = { accepted: true as const, name: "step", change, ...(held && { held }) };
  return transitionChanges({ ...context, run: before }, accepted, details, { at: AT, newPhaseId: () => "phase_1" });
}

describe("events", () => {
  test("of a claim begin the phase of its runner, and end with the status", () => {
    const details = { runnerId: "runner_1", reason: "because" };
    expect(changes({ run: { status: "READY" }, to: "PREPARING", details })).toMatchObject({
      bodies: [
        { type: "PHASE_CHANGED", phaseId: "phase_1", to: "RUNNING" },
        { type: "STATUS_CHANGED", from: "READY", to: "PREPARING", reason: "because" },
      ],
      phase: { id: "phase_1", kind: "PREPARE", runnerId: "runner_1" },
      set: { status: { to: "PREPARING", version: 9, at: AT } },
    });
  });

  test("of a step end one phase and begin the next, behind those of the caller", () => {
    const events = [{ type: "CHANGED" as const, fields: ["expired"] }];
    const { bodies, phase, set } = changes({ run: { status: "INITIALIZING" }, to: "PLANNING", details: { events } });
    expect(bodies).toEqual([
      { type: "CHANGED", fields: ["expired"] },
      { type: "PHASE_ENDED", to: "PASSED" },
      { type: "PHASE_CHANGED", phaseId: "phase_1", to: "RUNNING" },
      { type: "STATUS_CHANGED", from: "INITIALIZING", to: "PLANNING", reason: null },
    ]);
    expect(phase).toEqual({ id: "phase_1", kind: "PLAN", runnerId: null });
    expect(set.status?.version).toBe(11);
    expect(events).toHaveLength(1);
  });

  test("name no runner where the server or a person works", () => {
    const details = { runnerId: "runner_1" };
    const { phase } = changes({ run: { status: "PLANNING" }, to: "AWAITING_PLAN_APPROVAL", details });
    expect(phase).toEqual({ id: "phase_1", kind: "PLAN_APPROVAL", runnerId: null });
  });

  test("end a phase as the status says, or as the caller does", () => {
    const ending = (to: RunStatus, details: Step["details"] = {}) =>
      changes({ run: { status: "APPLYING" }, to, details });
    expect(ending("FINISHED").bodies[0]).toEqual({ type: "PHASE_ENDED", to: "PASSED" });
    expect(ending("FAILED").bodies[0]).toEqual({ type: "PHASE_ENDED", to: "FAILED" });
    expect(ending("READY").bodies[0]).toEqual({ type: "PHASE_ENDED", to: "CANCELED" });
    expect(ending("READY", { phaseEnd: "LOST" }).bodies[0]).toEqual({ type: "PHASE_ENDED", to: "LOST" });
    expect(ending("FINISHED").phase).toBeNull();
  });

  test("of a status without a phase are those of the status alone", () => {
    expect(changes({ to: "READY" })).toMatchObject({
      bodies: [{ type: "STATUS_CHANGED", from: "QUEUED", to: "READY", reason: null }],
      phase: null,
    });
  });

  test("without a change of status are those of the caller", () => {
    const set = { priority: 3 };
    const details = { events: [{ type: "CHANGED" as const, fields: ["priority"] }], set };
    const accepted = { accepted: true, name: "none", change: null } as const;
    const locked = { ...aContext(), run: aRun() };
    const newPhaseId = () => "phase_1";
    expect(transitionChanges(locked, accepted, details, { at: AT, newPhaseId })).toEqual({
      bodies: details.events,
      set: { priority: 3 },
      phase: null,
    });
    expect(transitionChanges(locked, accepted, {}, { at: AT, newPhaseId })).toEqual({
      bodies: [],
      set: {},
      phase: null,
    });
  });
});

describe("columns", () => {
  test("follow from the status, beside those of the caller", () => {
    const set = { planVersion: 2 };
    expect(changes({ run: { status: "PLANNING" }, to: "AWAITING_PLAN_APPROVAL", details: { set } }).set).toEqual({
      planVersion: 2,
      status: { to: "AWAITING_PLAN_APPROVAL", version: 10, at: AT },
      leg: "PLAN",
      alarmAt: null,
      holdsWorkspace: false,
    });
    // The caller's own stay as they are.
    expect(set).toEqual({ planVersion: 2 });
  });

  test("have an outcome only where the change has one", () => {
    expect(changes({ run: { status: "APPLYING" }, to: "FINISHED", outcome: "APPLIED" }).set.outcome).toBe("APPLIED");
    expect(changes({ run: { status: "PLANNING" }, to: "PLANNING" }).set).not.toHaveProperty("outcome");
  });

  test("count attempts anew on another leg, unless the caller counts", () => {
    const confirmed = { status: "AWAITING_APPLY_APPROVAL", attempt: 2 } as const;
    expect(changes({ run: confirmed, to: "CONFIRMED", leg: "APPLY" }).set).toMatchObject({ leg: "APPLY", attempt: 0 });
    expect(changes({ run: confirmed, to: "CONFIRMED" }).set).not.toHaveProperty("attempt");
    const details = { set: { attempt: 5 } };
    expect(changes({ run: confirmed, to: "CONFIRMED", leg: "APPLY", details }).set.attempt).toBe(5);
  });

  test("have an end and its reason at the end alone", () => {
    const reason = "Not wanted.";
    const ended = changes({ run: { status: "AWAITING_APPLY_APPROVAL" }, to: "DISCARDED", details: { reason } });
    expect(ended.set).toMatchObject({ finishedAt: AT, reason, alarmAt: null });
    expect(changes({ to: "CANCELED", details: { reason: null } }).set.reason).toBeNull();
    expect(changes({ to: "CANCELED" }).set).not.toHaveProperty("reason");
    const going = changes({ to: "READY", details: { reason } }).set;
    expect(going).not.toHaveProperty("reason");
    expect(going).not.toHaveProperty("finishedAt");
  });

  test.each<[string, Step, string | null | undefined]>([
    [
      "the end of the freeze that holds it",
      { to: "AWAITING_APPLY_APPROVAL", held: true, frozenUntil: later(900) },
      later(900),
    ],
    [
      "the caller's, before that of a freeze",
      { to: "CONFIRMED", held: true, frozenUntil: later(900), details: { set: { applyAt: later(5) } } },
      later(5),
    ],
    ["none, if no freeze is left", { to: "AWAITING_APPLY_APPROVAL", held: true }, null],
    [
      "none any more behind a gate",
      { run: { status: "AWAITING_APPLY_APPROVAL", applyAt: later(9) }, to: "CONFIRMED", frozenUntil: later(900) },
      null,
    ],
    [
      "none any more at a gate",
      { run: { status: "CONFIRMED", applyAt: later(9) }, to: "AWAITING_APPLY_APPROVAL" },
      null,
    ],
    [
      "the one that an approval asks for",
      {
        run: { status: "AWAITING_APPLY_APPROVAL", applyAt: later(9) },
        to: "CONFIRMED",
        details: { set: { applyAt: later(7) } },
      },
      later(7),
    ],
    [
      "the one it had, once it is approved",
      { run: { status: "CONFIRMED", applyAt: later(9) }, to: "PREPARING" },
      undefined,
    ],
    ["still none, if it had none", { run: { status: "AWAITING_APPLY_APPROVAL" }, to: "CONFIRMED" }, undefined],
  ])("have a time of the apply: %s", (_name, step, applyAt) => {
    const { set } = changes({ run: { status: "PLANNING" }, ...step });
    expect(set.applyAt).toBe(applyAt);
    expect("applyAt" in set).toBe(applyAt !== undefined);
  });

  test("have the alarm of the new status, by the columns that change with it", () => {
    const alarm = (step: Step) => changes(step).set.alarmAt;
    // 120 minutes of a plan are longer than 30 of silence.
    expect(alarm({ run: { status: "READY" }, to: "PREPARING" })).toBe(later(60 + 1800));
    const applyAt = later(7200);
    expect(alarm({ run: { status: "AWAITING_APPLY_APPROVAL" }, to: "CONFIRMED", details: { set: { applyAt } } })).toBe(
      applyAt,
    );
  });

  test.each<[string, RunKind, boolean, RunStatus, RunStatus, LockScope, boolean]>([
    ["from its admission", "DEPLOY", false, "QUEUED", "READY", "RUN", true],
    ["never as a speculative plan", "PLAN", false, "QUEUED", "READY", "RUN", false],
    ["not as a plan that is claimed", "PLAN", false, "READY", "PREPARING", "RUN", false],
    ["on each step", "DEPLOY", true, "INITIALIZING", "PLANNING", "EXECUTION", true],
    ["at its gates", "DEPLOY", true, "PLANNING", "AWAITING_APPLY_APPROVAL", "RUN", true],
    [
      "but not at its gates, if only executions lock",
      "DEPLOY",
      true,
      "PLANNING",
      "AWAITING_APPLY_APPROVAL",
      "EXECUTION",
      false,
    ],
    ["not behind such a gate", "DEPLOY", false, "AWAITING_APPLY_APPROVAL", "CONFIRMED", "EXECUTION", false],
    ["until it is claimed again", "DEPLOY", false, "CONFIRMED", "PREPARING", "EXECUTION", true],
    ["still behind a gate that keeps it", "DEPLOY", true, "AWAITING_APPLY_APPROVAL", "CONFIRMED", "RUN", true],
    ["no longer at its end", "DEPLOY", true, "APPLYING", "FINISHED", "RUN", false],
    ["no longer where the queue ends it", "DEPLOY", false, "QUEUED", "CANCELED", "RUN", false],
  ])("hold the workspace %s", (_name, kind, holdsWorkspace, status, to, lockScope, holds) => {
    expect(changes({ run: { kind, holdsWorkspace, status }, to, lockScope }).set.holdsWorkspace).toBe(holds);
  });
});
