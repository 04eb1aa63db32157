import type { Selectable } from "kysely";
import type { RunRules } from "../../model/approval/run-rules.ts";
import type { Tables } from "../database/tables.ts";

type Columns = Pick<Selectable<Tables["workspace"]>, "limits" | "approval_rules" | "freeze_windows">;

export function toRules(row: Columns): RunRules {
  return {
    limits: row.limits,
    approvalRules: row.approval_rules,
    freezeWindows: row.freeze_windows,
  };
}

export function rulesColumns(rules: RunRules): Record<keyof Columns, string> {
  return {
    limits: JSON.stringify(rules.limits),
    approval_rules: JSON.stringify(rules.approvalRules),
    freeze_windows: JSON.stringify(rules.freezeWindows),
  };
}
