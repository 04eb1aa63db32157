import { describe, expect, test } from "vitest";
import {
  dispatchChanges,
  firstOf,
  firstToReturn,
  isDispatchable,
} from "../../../src/domain/lifecycle/dispatch-changes.ts";
import type { AdmissionConditions } from "../../../src/model/admission/eligibility.ts";
import { aRun, later, NOW } from "../../support/decided-run.ts";

const FREE: AdmissionConditions = { at: NOW, paused: false, lock: null, lockRunId: null, frozenUntil: null };
const FROZEN = { ...FREE, frozenUntil: later(60) };

const approved = aRun({ id: "approved", status: "CONFIRMED", leg: "APPLY", priority: 2 });
const ROW = { runId: "approved", class: 0, priority: 2, poolId: "pool_1", labels: ["gpu", "large"] };
const RUNNERS = { runnerPoolId: "pool_1", runnerLabels: ["gpu", "large"] };

describe("the rows of the dispatch table", () => {
  test("stay where they are as they should be", () => {
    expect(dispatchChanges([ROW], [approved], RUNNERS)).toEqual({ leave: [], enter: [] });
    expect(dispatchChanges([], [], RUNNERS)).toEqual({ leave: [], enter: [] });
  });

  test("come and go with the runs", () => {
    expect(dispatchChanges([], [approved], RUNNERS)).toEqual({ leave: [], enter: [ROW] });
    expect(dispatchChanges([ROW], [], RUNNERS)).toEqual({ leave: ["approved"], enter: [] });
    const other = aRun({ id: "other", kind: "PLAN", status: "READY" });
    const row = { ...ROW, runId: "other", class: 2, priority: 0 };
    expect(dispatchChanges([ROW], [other], RUNNERS)).toEqual({ leave: ["approved"], enter: [row] });
    expect(dispatchChanges([ROW], [approved, other], RUNNERS)).toEqual({ leave: [], enter: [row] });
    expect(dispatchChanges([ROW, row], [other], RUNNERS)).toEqual({ leave: ["approved"], enter: [] });
  });

  test("name the run, also where another one is like it", () => {
    const second = aRun({ ...approved, id: "second" });
    expect(dispatchChanges([ROW], [second], RUNNERS)).toEqual({
      leave: ["approved"],
      enter: [{ ...ROW, runId: "second" }],
    });
  });

  test.each([
    { class: 1 },
    { priority: 3 },
    { poolId: null },
    { poolId: "pool_2" },
    { labels: [] },
    { labels: ["gpu"] },
    { labels: ["gpularge"] },
    { labels: ["large", "gpu"] },
  ])("are replaced where they differ: %j", (difference) => {
    expect(dispatchChanges([{ ...ROW, ...difference }], [approved], RUNNERS)).toEqual({
      leave: ["approved"],
      enter: [ROW],
    });
  });
});

test("a runner may take a run that waits for one, and that nothing else blocks", () => {
  expect(isDispatchable(aRun({ status: "READY" }), FREE)).toBe(true);
  expect(isDispatchable(approved, FREE)).toBe(true);
  expect(isDispatchable(aRun({ status: "QUEUED" }), FREE)).toBe(false);
  expect(isDispatchable(aRun({ status: "PLANNING" }), FREE)).toBe(false);
  expect(isDispatchable(approved, FROZEN)).toBe(false);
  expect(isDispatchable(aRun({ status: "READY" }), FROZEN)).toBe(true);
  expect(isDispatchable(aRun({ status: "READY" }), { ...FREE, paused: true })).toBe(false);
});

test("the first run has the highest priority, then the lowest number", () => {
  const run = (id: string, priority: number, number: number) => aRun({ id, priority, number });
  expect(firstOf([run("c", 0, 3), run("a", 0, 1), run("b", 0, 2)])?.id).toBe("a");
  expect(firstOf([run("a", 0, 1), run("b", 2, 3), run("c", 1, 2)])?.id).toBe("b");
  expect(firstOf([run("b", 2, 3), run("c", 2, 2), run("a", 1, 1)])?.id).toBe("c");
  expect(firstOf([])).toBeNull();
});

test("the first to take the workspace again is an apply, and one that can go", () => {
  const plan = aRun({ id: "plan", status: "REPLAN_REQUESTED", leg: "REPLAN" });
  const later2 = aRun({ id: "later", status: "CONFIRMED", leg: "APPLY", applyAt: later(60) });
  const waiting = [plan, later2, approved].map((run) => ({ run, blockers: "" }));
  expect(firstToReturn(waiting, FREE)?.id).toBe("approved");
  expect(firstToReturn(waiting, FROZEN)?.id).toBe("plan");
  expect(firstToReturn(waiting, { ...FREE, paused: true })).toBeNull();
  expect(firstToReturn([], FREE)).toBeNull();
  expect(waiting.map(({ run }) => run.id)).toEqual(["plan", "later", "approved"]);
});
