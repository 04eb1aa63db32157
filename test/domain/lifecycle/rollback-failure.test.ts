import { expect, test } from "vitest";
import { rollbackFailure, withoutCandidate } from "../../../src/domain/lifecycle/rollback-failure.ts";
import { toFailure } from "../../../src/model/lifecycle/failure.ts";
import { aRun } from "../../support/decided-run.ts";

const failure = toFailure({ code: "APPLY_FAILED", summary: "s", message: "m", evidence: [] }, true);
const rollback = aRun({ kind: "DEPLOY", trigger: "ROLLBACK" });

test("the failure of a rollback has what happened as its cause, and is not wrapped again", () => {
  expect(rollbackFailure(aRun(), failure)).toBe(failure);
  const failed = rollbackFailure(rollback, failure);
  expect(failed).toMatchObject({ code: "MANUAL_ROLLBACK_FAILED", category: "ROLLBACK_FAILURE", cause: "APPLY_FAILED" });
  expect(rollbackFailure(rollback, failed)).toBe(failed);
});

test("a failure without a run to go back to is kept", () => {
  const without = withoutCandidate(failure);
  expect(without).toMatchObject({ code: "AUTOMATIC_ROLLBACK_NO_CANDIDATE", stage: "ROLLBACK", cause: "APPLY_FAILED" });
  expect(rollbackFailure(rollback, without)).toBe(without);
});
