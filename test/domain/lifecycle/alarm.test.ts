import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { admissionConditions } from "../../../src/domain/lifecycle/admission-conditions.ts";
import { deadlineInput, firstAlarm, timeAfter, waitingAlarm } from "../../../src/domain/lifecycle/alarm.ts";
import { approvalDigest } from "../../../src/domain/lifecycle/approval-digest.ts";
import type { RunLimits } from "../../../src/model/approval/run-rules.ts";
import type { RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { RunChanges } from "../../../src/persistence/run/run-change-store.ts";
import { aContext, aRun, later, NOW } from "../../support/decided-run.ts";

const HOUR = 3_600_000;
/** Opens at 18:00, six hours after NOW. */
const EVENING = { name: "evening", cron: "0 18 * * *", durationMs: 2 * HOUR, timeZone: "UTC" };
const MIDNIGHT = { name: "midnight", cron: "0 0 * * *", durationMs: HOUR, timeZone: "UTC" };

function after(
  run: Partial<Run>,
  to: RunStatus,
  {
    limits,
    set,
    freezeWindows = [],
    frozenUntil = null,
  }: {
    limits?: Partial<RunLimits>;
    set?: RunChanges;
    freezeWindows?: (typeof EVENING)[];
    frozenUntil?: string | null;
  } = {},
) {
  const context = aContext({ ...(limits && { limits }), rules: { freezeWindows }, frozenUntil });
  // The run was created a day ago: its limits count from the change.
  const before = aRun({ createdAt: later(-86_400), statusAt: later(-3600), ...run });
  return timeAfter(before, { ...set, status: { to, version: 2, at: NOW } }, context);
}

describe("after a change of status", () => {
  test("an ended run has no alarm, and is escalated no more", () => {
    expect(after({ status: "APPLYING" }, "FINISHED")).toEqual({ alarmAt: null });
    const escalated = { status: "AWAITING_PLAN_APPROVAL", escalatedAt: later(-60) } as const;
    expect(after(escalated, "REJECTED")).toEqual({ escalatedAt: null, alarmAt: null });
    expect(after(escalated, "READY")).toEqual({ escalatedAt: null, alarmAt: null });
  });

  test("an ended run still names the limit that it exceeded", () => {
    const expired = { limit: "RUN", at: later(-60) } as const;
    expect(after({ status: "PLANNING", expired }, "TIMED_OUT")).toEqual({ alarmAt: null });
  });

  test("a runner that stays on its leg keeps its alarm", () => {
    expect(after({ status: "PREPARING" }, "INITIALIZING")).toEqual({});
    expect(after({ status: "INITIALIZING", leg: "APPLY" }, "APPLYING", { set: { leg: "APPLY" } })).toEqual({});
    const expired = { limit: "RUN", at: NOW } as const;
    expect(after({ status: "PREPARING", expired }, "INITIALIZING")).toEqual({});
  });

  test("a runner that begins has the limits of its leg and of silence", () => {
    expect(after({ status: "READY" }, "PREPARING")).toEqual({ alarmAt: later(1800) });
    const limits = { planMs: HOUR / 4, applyMs: HOUR / 6 };
    expect(after({ status: "READY" }, "PREPARING", { limits })).toEqual({ alarmAt: later(900) });
    expect(after({ status: "READY", leg: "APPLY" }, "PREPARING", { limits })).toEqual({ alarmAt: later(600) });
    expect(after({ status: "PLANNING", leg: "PLAN" }, "APPLYING", { limits, set: { leg: "APPLY" } })).toEqual({
      alarmAt: later(600),
    });
    expect(after({ status: "PLANNING", leg: "APPLY" }, "APPLYING", { limits, set: { leg: "PLAN" } })).toEqual({
      alarmAt: later(900),
    });
  });

  test("a limit that was exceeded counts no more", () => {
    const expired = { limit: "RUN", at: later(-60) } as const;
    expect(after({ status: "PLANNING", expired }, "READY")).toEqual({ expired: null, alarmAt: null });
    expect(after({ status: "READY", expired }, "PREPARING")).toEqual({ expired: null, alarmAt: later(1800) });
  });

  test("a gate has its limit from now on, escalated or not before", () => {
    const limits = { planApprovalMs: HOUR, approvalTimeoutAction: "ESCALATE" } as const;
    expect(after({ status: "PLANNING" }, "AWAITING_PLAN_APPROVAL", { limits })).toEqual({ alarmAt: later(3600) });
    const escalated = { status: "AWAITING_APPLY_APPROVAL", escalatedAt: later(-60) } as const;
    expect(after(escalated, "AWAITING_PLAN_APPROVAL", { limits })).toEqual({ escalatedAt: null, alarmAt: later(3600) });
  });

  test("a queue has its limit from the earliest start on", () => {
    const limits = { queueMs: HOUR };
    const queued = { createdAt: NOW, scheduledAt: later(600) };
    expect(after({ status: "QUEUED", ...queued }, "READY", { limits })).toEqual({ alarmAt: later(4200) });
    const set = { scheduledAt: later(1200) };
    expect(after({ status: "QUEUED", ...queued }, "READY", { limits, set })).toEqual({ alarmAt: later(4800) });
    expect(after({ status: "QUEUED", ...queued }, "READY", { limits, set: { scheduledAt: null } })).toEqual({
      alarmAt: later(3600),
    });
    // Due already: the next round handles it.
    expect(after({ status: "QUEUED", createdAt: later(-7200) }, "READY", { limits })).toEqual({ alarmAt: NOW });
    expect(after({ status: "PLANNING", startedAt: later(-7200) }, "READY", { limits })).toEqual({
      alarmAt: later(3600),
    });
  });

  test("an approved run waits for its time, and for freeze windows", () => {
    const gate = { status: "AWAITING_APPLY_APPROVAL", applyAt: later(900) } as const;
    const confirmed = (set: RunChanges, freezeWindows = [EVENING], frozenUntil: string | null = null) =>
      after(gate, "CONFIRMED", { set, freezeWindows, frozenUntil }).alarmAt;
    expect(confirmed({}, [])).toBe(later(900));
    expect(confirmed({ applyAt: later(60) }, [])).toBe(later(60));
    expect(confirmed({ applyAt: null }, [])).toBeNull();
    expect(confirmed({ applyAt: null })).toBe(later(6 * 3600));
    expect(confirmed({ applyAt: null }, [MIDNIGHT, EVENING])).toBe(later(6 * 3600));
    expect(confirmed({ applyAt: null }, [EVENING, MIDNIGHT])).toBe(later(6 * 3600));
    expect(confirmed({ applyAt: null }, [EVENING], later(1800))).toBe(later(1800));
  });
});

test("a new run has an alarm at its time and at the limit of its queue", () => {
  const created = (scheduledAt: string | null, queueMs: number | null) =>
    firstAlarm({ createdAt: NOW, scheduledAt }, aContext({ limits: { queueMs } }));
  expect(created(null, null)).toBeNull();
  expect(created(later(600), null)).toBe(later(600));
  expect(created(null, HOUR)).toBe(later(3600));
  expect(created(later(600), HOUR)).toBe(later(600));
  expect(created(null, 0)).toBe(NOW);
});

test("a waiting run has the next alarm of its status, or one now", () => {
  const context = aContext({ limits: { applyApprovalMs: HOUR } });
  const gate = aRun({ status: "AWAITING_APPLY_APPROVAL" });
  expect(waitingAlarm({ ...context, run: gate }, new Date(NOW))).toBe(later(3600));
  expect(waitingAlarm({ ...context, run: gate }, new Date(later(3599)))).toBe(later(3600));
  expect(waitingAlarm({ ...context, run: gate }, new Date(later(3601)))).toBe(later(3601));
  expect(waitingAlarm({ ...context, run: aRun({ status: "READY" }) }, new Date(NOW))).toBeNull();
});

test("the next freeze window matters to approved runs, while none is open", () => {
  const freezesAt = (status: RunStatus, frozenUntil: string | null) => {
    const context = aContext({ rules: { freezeWindows: [EVENING] }, frozenUntil });
    return deadlineInput({ ...context, run: aRun({ status }) }, null, new Date(NOW)).freezesAt;
  };
  expect(freezesAt("CONFIRMED", null)).toBe(later(6 * 3600));
  expect(freezesAt("CONFIRMED", later(60))).toBeNull();
  expect(freezesAt("AWAITING_APPLY_APPROVAL", null)).toBeNull();
});

test("the conditions of a workspace have its lock, its pause and its freeze", () => {
  const lock = {
    reason: "APPLY_INTERRUPTED",
    runId: "run_9",
    actorId: null,
    note: null,
    since: NOW,
    expiresAt: null,
  } as const;
  const conditions = (context: Parameters<typeof aContext>[0]) => admissionConditions(aContext(context), new Date(NOW));
  expect(conditions({})).toEqual({ at: NOW, paused: false, lock: null, lockRunId: null, frozenUntil: null });
  expect(conditions({ workspace: { lock, paused: true }, frozenUntil: later(5) })).toEqual({
    at: NOW,
    paused: true,
    lock: "APPLY_INTERRUPTED",
    lockRunId: "run_9",
    frozenUntil: later(5),
  });
});

test("an approval is bound to the command of a TASK, else to the plan", () => {
  const sha256 = createHash("sha256").update("terraform taint x").digest("hex");
  expect(approvalDigest({ command: "terraform taint x" }, { digest: "plan" })).toBe(sha256);
  expect(approvalDigest({ command: null }, { digest: "plan" })).toBe("plan");
  expect(approvalDigest({ command: null }, null)).toBe("");
});
