import type { Failure } from "../../model/lifecycle/failure.ts";
import { type Caused, isRollback } from "../../model/run/rollback.ts";

/** Returns the failure of a rollback: that it failed is its code, and the code of what happened is the cause. */
export function rollbackFailure(run: Caused, failure: Failure): Failure {
  if (!isRollback(run) || failure.category === "ROLLBACK_FAILURE") return failure;
  const code = run.cause?.type === "ROLLBACK" ? "AUTOMATIC_ROLLBACK_FAILED" : "MANUAL_ROLLBACK_FAILED";
  return { ...failure, code, stage: "ROLLBACK", category: "ROLLBACK_FAILURE", retryable: false, cause: failure.code };
}
