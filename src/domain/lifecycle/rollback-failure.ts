import type { FailureCode } from "../../model/lifecycle/failure-code.ts";
import type { Failure } from "../../model/lifecycle/failure.ts";
import { type Caused, isRollback } from "../../model/run/rollback.ts";

/** Returns the failure of a rollback: that it failed is its code, and the code of what happened is the cause. */
export function rollbackFailure(run: Caused, failure: Failure): Failure {
  if (!isRollback(run) || failure.category === "ROLLBACK_FAILURE") return failure;
  const code = run.cause?.type === "ROLLBACK" ? "AUTOMATIC_ROLLBACK_FAILED" : "MANUAL_ROLLBACK_FAILED";
  return asRollbackFailure(failure, code);
}

/** Returns a failure of a run that cannot be rolled back: nothing is known to be good. */
export function withoutCandidate(failure: Failure): Failure {
  return asRollbackFailure(failure, "AUTOMATIC_ROLLBACK_NO_CANDIDATE");
}

function asRollbackFailure(failure: Failure, code: FailureCode): Failure {
  return { ...failure, code, stage: "ROLLBACK", category: "ROLLBACK_FAILURE", retryable: false, cause: failure.code };
}
