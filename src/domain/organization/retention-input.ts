import { LIMITS } from "../../model/kit/limits.ts";
import { RETENTION_FIELDS, type RetentionChange } from "../../model/workspace/retention.ts";
import type { InputCheck } from "../kit/input.ts";

/** Null as a whole says nothing; what is to be kept for ever is named. */
export function checkRetention(check: InputCheck, retention: RetentionChange | null | undefined): void {
  check.require(retention !== null, "retention", "cannot be cleared; a field of it can.");
  for (const field of RETENTION_FIELDS) {
    const days = retention?.[field];
    if (typeof days !== "number" || (days >= 1 && days <= LIMITS.retentionDays)) continue;
    check.refuse(`retention.${field}`, `must be from 1 to ${LIMITS.retentionDays}, or null: for ever.`);
  }
}
