import { expect, test } from "vitest";
import { judgeTask, type TaskFacts } from "../../../src/runner/leg/task-outcome.ts";

const EXIT = { code: 0, signal: null, interrupted: false, killed: false };
const judge = (exit: Partial<TaskFacts["exit"]>, more: Partial<TaskFacts> = {}) =>
  judgeTask({ exit: { ...EXIT, ...exit }, settled: null, lockHeld: false, ...more });
const failed = (code: string, stateUncertain: boolean) => ({ performed: false, code, stateUncertain });

test("how a task ended", () => {
  expect(judge({})).toEqual({ performed: true });
  // It was interrupted when it had done everything.
  expect(judge({ interrupted: true })).toEqual({ performed: true });
  expect(judge({ code: 3 })).toEqual(failed("TASK_FAILED", false));
  expect(judge({ code: null, signal: "SIGSEGV" })).toEqual(failed("TASK_FAILED", false));
  expect(judge({ code: 130, interrupted: true })).toEqual(failed("APPLY_INTERRUPTED", false));
  expect(judge({ code: null, signal: "SIGKILL", interrupted: true, killed: true })).toEqual(
    failed("APPLY_INTERRUPTED", true),
  );
  expect(judge({}, { lockHeld: true })).toEqual(failed("TASK_FAILED", true));
  expect(judge({}, { settled: { problem: "away" } })).toEqual(failed("STATE_NOT_SAVED", true));
});
