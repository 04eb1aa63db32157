import { expect, test } from "vitest";
import { undecidedWarning } from "../../../src/model/state/recovered-state.ts";
import { StateRefused } from "../../../src/model/state/state-refused.ts";
import { describeRollback } from "../../../src/model/state/state-version.ts";

test("a warning counts the states that wait for a decision", () => {
  expect(undecidedWarning(0)).toBeNull();
  expect(undecidedWarning(1)).toBe(
    "A state that a runner sent after its lease is stored and undecided. Check it before the next run, then adopt or discard it.",
  );
  expect(undecidedWarning(2)).toBe(
    "2 states that runners sent after their leases are stored and undecided. Check them before the next run, then adopt or discard them.",
  );
});

test.each([
  [null, ""],
  [0, ", 0 resources"],
  [1, ", 1 resource"],
  [2, ", 2 resources"],
])("approvers read which state a rollback brings back: %s", (resourceCount, count) => {
  const version = { id: "sv_1", serial: 3, createdAt: "2026-01-02T03:04:05.678Z", resourceCount };
  expect(describeRollback(version, { serial: 5 })).toBe(
    `state push sv_1 (serial 3 of 2026-01-02T03:04:05Z${count}), in place of serial 5`,
  );
});

test("a refused state is told by its code", () => {
  expect(new StateRefused("It goes back.")).toMatchObject({
    name: "StateRefused",
    code: "STATE_REFUSED",
    message: "It goes back.",
  });
});
