import { expect, test } from "vitest";
import { RUN_KINDS, RUN_LEGS, RUN_TRIGGERS } from "../../../src/model/lifecycle/run-kind.ts";
import { isStateRollback, plannedBy, requiredAction } from "../../../src/model/run/run.ts";

test("a run is about its own plan, and an APPLY about that of its PLAN run", () => {
  expect(plannedBy({ id: "run_2", planRunId: null })).toBe("run_2");
  expect(plannedBy({ id: "run_2", planRunId: "run_1" })).toBe("run_1");
});

test("a state is brought back by a task of a rollback, and by nothing else", () => {
  const pairs = RUN_KINDS.flatMap((kind) => RUN_TRIGGERS.map((trigger) => ({ kind, trigger })));
  expect(pairs.filter(isStateRollback)).toEqual([{ kind: "TASK", trigger: "ROLLBACK" }]);
});

test("what a person does next: release a lock before all else, fix what was stopped while it applied", () => {
  expect(requiredAction({ policyAsks: false, status: "QUEUED", leg: "PLAN" }, true)).toBe("RELEASE_LOCK");
  expect(requiredAction({ policyAsks: false, status: "QUEUED", leg: "PLAN" }, false)).toBe("WAIT");
  const actions = RUN_LEGS.map((leg) => [leg, requiredAction({ policyAsks: false, status: "STOPPED", leg }, false)]);
  expect(actions).toEqual([
    ["PLAN", "NONE"],
    ["REPLAN", "NONE"],
    ["APPLY", "FIX_AND_RERUN"],
    ["DESTROY", "FIX_AND_RERUN"],
    ["TASK", "NONE"],
  ]);
  expect(requiredAction({ policyAsks: false, status: "FINISHED", leg: "APPLY" }, false)).toBe("NONE");
});
