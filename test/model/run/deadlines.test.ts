import { describe, expect, it, test } from "vitest";
import { LIVE_STATUSES, STATUS_TRAITS } from "../../../src/model/lifecycle/run-status.ts";
import { checkDeadlines, type TimedRun, type DeadlineInput } from "../../../src/model/run/deadlines.ts";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "../../../src/model/approval/run-rules.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-03-01T12:00:00.000Z");
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();

const RUN: TimedRun = {
  status: "QUEUED",
  leg: "PLAN",
  createdAt: at(0),
  startedAt: null,
  statusAt: at(0),
  scheduledAt: null,
  applyAt: null,
  escalatedAt: null,
  expired: null,
};
const WORK = { claimedAt: at(0), outputAt: null, reachableSince: null, graceMs: 2 * MINUTE };

function look(
  minutes: number,
  run: Partial<TimedRun>,
  limits: Partial<RunLimits> = {},
  more: Partial<DeadlineInput> = {},
) {
  const facts: DeadlineInput = {
    run: { ...RUN, ...run },
    limits: { ...DEFAULT_RUN_LIMITS, ...limits },
    frozenUntil: null,
    freezesAt: null,
    work: null,
    ...more,
  };
  return checkDeadlines(facts, START + minutes * MINUTE);
}
const NOTHING = { due: null, next: null };

it("a run is not ended while a check that judges it has time", () => {
  const end = { due: { type: "GIVE_UP" }, next: null };
  const judged = (minutes: number, checkedUntil: string | null) =>
    look(minutes, { status: "POLICY_CHECKING" }, { planMs: 10 * MINUTE }, { checkedUntil });
  expect(judged(10, null)).toEqual(end);
  expect(judged(9, at(5))).toEqual({ due: null, next: at(10) });
  expect(judged(10, at(5))).toEqual(end);
  expect(judged(10, at(30))).toEqual({ due: null, next: at(30) });
  expect(judged(30, at(30))).toEqual(end);
  const queued = (minutes: number) => look(minutes, {}, { queueMs: 10 * MINUTE }, { checkedUntil: at(30) });
  expect(queued(10)).toEqual({ due: null, next: at(30) });
  expect(queued(30).due).toEqual({ type: "QUEUE_TIMEOUT" });
});

describe("in the queue", () => {
  it("nobody looks again where there is no limit", () => {
    for (const status of ["QUEUED", "READY", "REPLAN_REQUESTED", "CONFIRMED"] as const) {
      expect(look(5, { status })).toEqual(NOTHING);
    }
  });
  const limits = { queueMs: 10 * MINUTE };
  const due = { type: "QUEUE_TIMEOUT" };
  it("the limit counts from the creation through QUEUED and READY, at its very instant", () => {
    for (const status of ["QUEUED", "READY"] as const) {
      const run = { status, statusAt: at(status === "READY" ? 5 : 0) };
      expect(look(9.99, run, limits)).toEqual({ due: null, next: at(10) });
      expect(look(10, run, limits)).toEqual({ due, next: null });
    }
  });
  it("or from the time that it was scheduled for", () => {
    expect(look(0, { scheduledAt: at(30) }, limits)).toEqual({ due: null, next: at(30) });
    expect(look(30, { scheduledAt: at(30) }, limits)).toEqual({ due: null, next: at(40) });
    expect(look(40, { scheduledAt: at(30) }, limits).due).toEqual(due);
    expect(look(10, { scheduledAt: at(-30) }, limits).due).toEqual(due);
  });
  it("from the replan, and anew for whoever lost its runner", () => {
    const lost = { status: "READY", startedAt: at(1), statusAt: at(60) } as const;
    expect(look(60, lost, limits)).toEqual({ due: null, next: at(70) });
    const replan = { status: "REPLAN_REQUESTED", statusAt: at(60) } as const;
    expect(look(69, replan, limits)).toEqual({ due: null, next: at(70) });
    expect(look(70, replan, limits).due).toEqual(due);
  });
  it("an approved run has no such limit; it is looked at when its time comes, and when a window opens or ends", () => {
    const run = { status: "CONFIRMED", applyAt: at(20) } as const;
    expect(look(0, run, limits)).toEqual({ due: null, next: at(20) });
    expect(look(20, run, limits, { frozenUntil: at(45) })).toEqual({ due: null, next: at(45) });
    expect(look(500, run, limits)).toEqual(NOTHING);
    expect(look(21, run, limits, { freezesAt: at(45) })).toEqual({ due: null, next: at(45) });
  });
});

describe("at the gates", () => {
  const plan = { status: "AWAITING_PLAN_APPROVAL", statusAt: at(100) } as const;
  const apply = { status: "AWAITING_APPLY_APPROVAL", statusAt: at(200) } as const;
  it("each has its limit, from when the run came to it", () => {
    const limits = { planApprovalMs: 10 * MINUTE, applyApprovalMs: 20 * MINUTE };
    expect(look(100, plan, limits)).toEqual({ due: null, next: at(110) });
    expect(look(110, plan, limits).due).toEqual({ type: "APPROVAL_TIMEOUT", gate: "PLAN", action: "END" });
    expect(look(219, apply, limits)).toEqual({ due: null, next: at(220) });
    expect(look(999, apply, limits).due).toEqual({ type: "APPROVAL_TIMEOUT", gate: "APPLY", action: "END" });
    expect(look(999, apply, { planApprovalMs: MINUTE })).toEqual(NOTHING);
  });
  it("the plan gate keeps its limit, whatever time the apply was given", () => {
    const limits = { planApprovalMs: 10 * MINUTE };
    expect(look(110, { ...plan, applyAt: at(500) }, limits).due).toMatchObject({ type: "APPROVAL_TIMEOUT" });
  });
  it("what a freeze window holds back has no limit; it is looked at when the window closes", () => {
    const held = { ...apply, applyAt: at(500) };
    expect(look(300, held, { applyApprovalMs: MINUTE }, { frozenUntil: at(500) })).toEqual({
      due: null,
      next: at(500),
    });
  });
  it("escalates once, and ends all the same where that is asked for afterwards", () => {
    const limits = { planApprovalMs: MINUTE, approvalTimeoutAction: "ESCALATE" } as const;
    expect(look(101, plan, limits).due).toEqual({ type: "APPROVAL_TIMEOUT", gate: "PLAN", action: "ESCALATE" });
    const told = { ...plan, escalatedAt: at(101) };
    expect(look(102, told, limits)).toEqual(NOTHING);
    expect(look(102, told, { planApprovalMs: MINUTE }).due).toMatchObject({ action: "END" });
  });
});

describe("at work", () => {
  const planning = { status: "PLANNING", startedAt: at(0), statusAt: at(3) } as const;
  const limits = { planMs: 60 * MINUTE, applyMs: 90 * MINUTE, silenceMs: 10 * MINUTE };
  it("the leg's limit counts from its claim", () => {
    const work = { ...WORK, outputAt: at(59) };
    expect(look(59, planning, limits, { work })).toEqual({ due: null, next: at(60) });
    expect(look(60, planning, limits, { work })).toEqual({ due: { type: "EXPIRE", limit: "RUN" }, next: at(69) });
    const again = { ...work, claimedAt: at(30) };
    expect(look(60, planning, limits, { work: again }).due).toBeNull();
    expect(look(60, { ...planning, leg: "REPLAN" }, limits, { work }).due).toMatchObject({ limit: "RUN" });
  });
  it.each(["APPLY", "DESTROY", "TASK"] as const)("leg %s has the limit of applies", (leg) => {
    const work = { ...WORK, outputAt: at(89) };
    const run = { status: leg === "TASK" ? "PERFORMING" : "APPLYING", leg } as const;
    expect(look(89, run, limits, { work }).due).toBeNull();
    expect(look(90, run, limits, { work }).due).toEqual({ type: "EXPIRE", limit: "RUN" });
  });
  it("silence counts from the last line, or from the claim", () => {
    const due = { type: "EXPIRE", limit: "SILENCE" };
    expect(look(9, planning, limits, { work: WORK })).toEqual({ due: null, next: at(10) });
    expect(look(10, planning, limits, { work: WORK }).due).toEqual(due);
    // A line of an earlier leg.
    expect(look(9, planning, limits, { work: { ...WORK, outputAt: at(-600) } }).due).toBeNull();
    expect(look(17, planning, limits, { work: { ...WORK, outputAt: at(8) } })).toEqual({ due: null, next: at(18) });
    expect(look(18, planning, limits, { work: { ...WORK, outputAt: at(8) } }).due).toEqual(due);
  });
  it("what was exceeded first counts", () => {
    expect(look(500, planning, limits, { work: WORK }).due).toEqual({ type: "EXPIRE", limit: "SILENCE" });
    expect(look(500, planning, limits, { work: { ...WORK, outputAt: at(499) } }).due).toMatchObject({ limit: "RUN" });
    expect(look(70, planning, limits, { work: { ...WORK, outputAt: at(55) } }).due).toMatchObject({ limit: "RUN" });
    expect(look(60, planning, limits, { work: { ...WORK, outputAt: at(50) } }).due).toMatchObject({ limit: "RUN" });
  });
  it("time in which nobody could be heard is no silence, and nothing ends before a lease has passed since", () => {
    const work = { ...WORK, reachableSince: at(500) };
    const long = { ...limits, planMs: 1000 * MINUTE };
    expect(look(500, planning, long, { work })).toEqual({ due: null, next: at(500.5) });
    expect(look(500.5, planning, long, { work })).toEqual({ due: null, next: at(510) });
    expect(look(510, planning, long, { work }).due).toMatchObject({ limit: "SILENCE" });
    expect(look(500.4, planning, limits, { work }).due).toBeNull();
    expect(look(500.5, planning, limits, { work }).due).toMatchObject({ limit: "RUN" });
  });
  it("a runner that was asked gets its grace, from when it could be heard", () => {
    const late = { ...planning, expired: { limit: "RUN", at: at(60) } as const };
    expect(look(61, late, limits, { work: WORK })).toEqual({ due: null, next: at(62) });
    expect(look(62, late, limits, { work: WORK }).due).toEqual({ type: "GIVE_UP" });
    const away = { ...WORK, reachableSince: at(300) };
    expect(look(300, late, limits, { work: away }).due).toBeNull();
    expect(look(302, late, limits, { work: away }).due).toEqual({ type: "GIVE_UP" });
  });
  it("nothing happens to a run that nobody has", () => {
    expect(look(9999, planning, limits)).toEqual(NOTHING);
  });
});

it("the server's own work is given up at its limit; that of an apply does not count for its verification", () => {
  const limits = { planMs: 60 * MINUTE, applyMs: MINUTE };
  for (const [status, minutes] of [
    ["POLICY_CHECKING", 60],
    ["VERIFYING", 27 * 60],
  ] as const) {
    const run = { status, statusAt: at(10) };
    expect(look(9 + minutes, run, limits)).toEqual({ due: null, next: at(10 + minutes) });
    expect(look(10 + minutes, run, limits)).toEqual({ due: { type: "GIVE_UP" }, next: null });
  }
});

it("a run that has ended is never looked at", () => {
  const limits = { queueMs: MINUTE, planApprovalMs: MINUTE, applyApprovalMs: MINUTE };
  expect(look(9999, { status: "TIMED_OUT", scheduledAt: at(1) }, limits, { work: WORK })).toEqual(NOTHING);
});

test("a live status ends by a deadline, or says why it needs none", () => {
  const limits = { queueMs: MINUTE, planApprovalMs: MINUTE, applyApprovalMs: MINUTE };
  for (const status of LIVE_STATUSES) {
    const { deadline, runnerBusy } = STATUS_TRAITS[status];
    const { next } = look(0, { status }, limits, runnerBusy ? { work: WORK } : {});
    const hasReason = typeof deadline === "object" && deadline !== null && deadline.noneBecause.length > 20;
    expect({ status, ends: next !== null }).toEqual({ status, ends: !hasReason });
  }
});
