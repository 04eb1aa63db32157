import { expect, test } from "vitest";
import { forceAllowedAt, refusalCounts, withRefusal } from "../../../src/domain/lifecycle/stop-request.ts";
import type { Run } from "../../../src/model/run/run.ts";
import { aContext, aRun, later, NOW } from "../../support/decided-run.ts";

const subject = (run: Partial<Run>, interruptApply = false) => ({
  ...aContext({ workspace: { interruptApply }, limits: { forceStopAfterMs: 90_000 } }),
  run: aRun(run),
});
const REQUEST = { actorId: "actor_1", at: later(10) };

test("a refused cancel counts while an apply may be interrupted now", () => {
  expect(refusalCounts(subject({ status: "APPLYING" }, true))).toBe(true);
  expect(refusalCounts(subject({ status: "APPLYING" }, false))).toBe(false);
  expect(refusalCounts(subject({ status: "PLANNING" }, true))).toBe(false);
});

test("the refusal is the request if it came first, and names who asked later, or who created the run", () => {
  const asked = subject({ cancelRequest: REQUEST });
  expect(withRefusal(asked, null)).toBe(asked);
  expect(withRefusal(asked, later(10))).toBe(asked);
  expect(withRefusal(asked, later(11))).toBe(asked);
  expect(withRefusal(asked, later(9)).run.cancelRequest).toEqual({ actorId: "actor_1", at: later(9) });
  const fresh = subject({ cancelRequest: null });
  expect(withRefusal(fresh, null)).toBe(fresh);
  expect(withRefusal(fresh, NOW)).toEqual({
    ...fresh,
    run: { ...fresh.run, cancelRequest: { actorId: "actor_creator", at: NOW } },
  });
});

test("force is allowed some time after the request, and never for an apply that may not be interrupted", () => {
  expect(forceAllowedAt(subject({ status: "PLANNING", cancelRequest: REQUEST }))).toBe(later(100));
  expect(forceAllowedAt(subject({ status: "APPLYING", cancelRequest: REQUEST }, true))).toBe(later(100));
  expect(forceAllowedAt(subject({ status: "APPLYING", cancelRequest: REQUEST }, false))).toBeNull();
  expect(forceAllowedAt(subject({ status: "PLANNING", cancelRequest: null }, true))).toBeNull();
});
