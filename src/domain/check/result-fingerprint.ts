import { createHash } from "node:crypto";
import type { ExternalCheckResult } from "../../model/check/external-check.ts";

/**
 * Returns the fingerprint of a failure: that of another plan is equal if the check failed at the same stage with the same
 * message.
 */
export function resultFingerprint({
  checkId,
  stage,
  status,
  message,
}: Pick<ExternalCheckResult, "checkId" | "stage" | "status" | "message">): string {
  return createHash("sha256")
    .update(JSON.stringify(["CHECK", checkId, stage, status, message]))
    .digest("hex");
}
