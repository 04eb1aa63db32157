/** Checks and merges the rules of an organization or a workspace. */
import { isDeepStrictEqual } from "node:util";
import type { RunRules } from "../../model/approval/run-rules.ts";
import { changedLimits, type LimitsChange } from "../../model/workspace/run-limits.ts";
import type { InputCheck } from "../kit/input.ts";
import { type ApprovalRuleInput, checkApprovalRules, toApprovalRules } from "./approval-rule-input.ts";
import { checkFreezeWindows, type FreezeWindowInput, toFreezeWindows } from "./freeze-window-input.ts";
import { checkLimits } from "./limits-input.ts";

/** Absent fields stay unchanged; `null` is invalid. Lists are replaced as a whole. */
export interface RulesInput {
  limits?: LimitsChange | null | undefined;
  approvalRules?: readonly ApprovalRuleInput[] | null | undefined;
  freezeWindows?: readonly FreezeWindowInput[] | null | undefined;
}

export const RULES_FIELDS = ["limits", "approvalRules", "freezeWindows"] as const;

export function namesRules(input: RulesInput): boolean {
  return RULES_FIELDS.some((field) => input[field] !== undefined);
}

export function checkRules(check: InputCheck, input: RulesInput, at: Date): void {
  const { limits, approvalRules, freezeWindows } = input;
  for (const field of RULES_FIELDS) check.require(input[field] !== null, field, "cannot be cleared.");
  if (limits) checkLimits(check, "limits", limits);
  if (approvalRules) checkApprovalRules(check, "approvalRules", toApprovalRules(approvalRules));
  if (freezeWindows) checkFreezeWindows(check, "freezeWindows", freezeWindows, at);
}

export function rulesAfter(before: RunRules, { limits, approvalRules, freezeWindows }: RulesInput): RunRules {
  return {
    limits: limits ? changedLimits(before.limits, limits) : before.limits,
    approvalRules: approvalRules ? toApprovalRules(approvalRules) : before.approvalRules,
    freezeWindows: freezeWindows ? toFreezeWindows(freezeWindows) : before.freezeWindows,
  };
}

/** Returns the names of the rules that differ, regardless of the order of their keys. */
export function changedRules(before: RunRules, after: RunRules): (typeof RULES_FIELDS)[number][] {
  return RULES_FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/** Whether an approval rule is changed or left out. */
export function removesApprovalRules({ approvalRules: before }: RunRules, { approvalRules }: RulesInput): boolean {
  if (approvalRules === undefined || approvalRules === null) return false;
  const after = toApprovalRules(approvalRules);
  return before.some((rule) => !after.some((kept) => isDeepStrictEqual(kept, rule)));
}
