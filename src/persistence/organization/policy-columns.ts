import type { Selectable } from "kysely";
import type { Policy } from "../../model/approval/policy.ts";
import type { Tables } from "../database/tables.ts";

type Columns = Pick<Selectable<Tables["workspace"]>, "limits" | "approval_rules" | "freeze_windows">;

export function toPolicy(row: Columns): Policy {
  return { limits: row.limits, approvalRules: row.approval_rules, freezeWindows: row.freeze_windows };
}

export function policyColumns(policy: Policy): Record<keyof Columns, string> {
  return {
    limits: JSON.stringify(policy.limits),
    approval_rules: JSON.stringify(policy.approvalRules),
    freeze_windows: JSON.stringify(policy.freezeWindows),
  };
}
