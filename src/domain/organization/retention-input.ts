import { LIMITS } from "../../model/kit/limits.ts";
import { RETENTION_FIELDS, type RetentionChange } from "../../model/workspace/retention.ts";
import type { InputCheck } from "../kit/input.ts";

/** Checks a change of retention. `null` for the whole is invalid: kept for ever is stated per field. */
export function checkRetention(check: InputCheck, retention: RetentionChange | null | undefined): void {
  check.require(retention !== null, "retention", "cannot be null; set its fields to null instead.");
  for (const field of RETENTION_FIELDS) {
    const days = retention?.[field];
    if (typeof days !== "number" || (days >= 1 && days <= LIMITS.retentionDays)) continue;
    check.refuse(`retention.${field}`, `must be from 1 to ${LIMITS.retentionDays}, or null to keep for ever.`);
  }
}
