import { expect, test } from "vitest";
import { estimatedEnd, type RunProgress, shownProgress } from "../../../src/model/run/run-progress.ts";

const AT = "2026-11-21T10:00:00.000Z";
const after = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1000).toISOString();
const took = (seconds: number, total: number | null) => ({ ms: seconds * 1000, total });

test("the end is guessed by what a resource took, once five phases counted theirs", () => {
  const counted = [took(10, 10), took(20, 10), took(30, 10), took(40, 10), took(50, 10)];
  const history = { startedAt: after(-100), earlier: counted };
  // Three seconds each, six of them to go: a failed one is behind us as well.
  expect(estimatedEnd({ total: 10, done: 3, failed: 1 }, history, AT)).toBe(after(18));
  expect(estimatedEnd({ total: 10, done: 10, failed: 0 }, history, AT)).toBe(AT);
  expect(estimatedEnd({ total: 10, done: 10, failed: 5 }, history, AT)).toBe(AT);
  // Those that had nothing to do say nothing about a resource.
  const idle = Array.from({ length: 5 }, () => took(90, 0));
  const longer = { ...history, earlier: [...idle, ...counted.toReversed()] };
  expect(estimatedEnd({ total: 10, done: 3, failed: 1 }, longer, AT)).toBe(after(18));
  const whole = { startedAt: after(-10), earlier: counted };
  for (const total of [null, 0]) expect(estimatedEnd({ total, done: 0, failed: 0 }, whole, AT)).toBe(after(20));
});

test("else by what the whole phase took, and never in the past", () => {
  const earlier = [took(60, null), took(60, 0), took(90, null), took(30, null), took(60, 5), took(70, null)];
  const progress = { total: 10, done: 3, failed: 0 };
  expect(estimatedEnd(progress, { startedAt: after(-20), earlier }, AT)).toBe(after(40));
  expect(estimatedEnd(progress, { startedAt: after(-200), earlier }, AT)).toBe(AT);
  expect(estimatedEnd(progress, { startedAt: after(-20), earlier: earlier.slice(1) }, AT)).toBe(after(40));
  expect(estimatedEnd(progress, { startedAt: after(-20), earlier: earlier.slice(2) }, AT)).toBeNull();
  const ofAllLengths = [took(100, null), took(9, null), took(20, null), took(80, null), took(3, null)];
  expect(estimatedEnd(progress, { startedAt: AT, earlier: ofAllLengths }, AT)).toBe(after(20));
  expect(estimatedEnd({ ...progress, total: null }, { startedAt: AT, earlier: [] }, AT)).toBeNull();
});

test("where the phase is over nothing is at work, and what was applied well is done", () => {
  const progress: RunProgress = {
    phase: "APPLY",
    total: 3,
    done: 1,
    failed: 0,
    current: [{ address: "a.b", action: "CREATE", startedAt: AT }],
    currentCount: 2,
    updatedAt: AT,
  };
  const over = { ...progress, current: [], currentCount: 0 };
  expect(shownProgress(progress, "APPLYING", false)).toEqual(progress);
  expect(shownProgress(progress, "FAILED", false)).toEqual(over);
  expect(shownProgress(progress, "FINISHED", true)).toEqual({ ...over, done: 3 });
  const planned = { ...progress, phase: "PLAN" } as const;
  expect(shownProgress(planned, "PLANNING", false)).toEqual(planned);
  expect(shownProgress(planned, "FINISHED", true)).toEqual({ ...planned, current: [], currentCount: 0 });
  // What it says is of the plan: the apply has said nothing yet.
  expect(shownProgress(planned, "APPLYING", false)).toEqual({ ...planned, current: [], currentCount: 0 });
});
