/** What an organization and a workspace are told about all their runs. */
import { isDeepStrictEqual } from "node:util";
import type { Policy } from "../../model/approval/policy.ts";
import { changedLimits, type LimitsChange } from "../../model/workspace/run-limits.ts";
import type { InputCheck } from "../kit/input.ts";
import { type ApprovalRuleInput, checkApprovalRules, toApprovalRules } from "./approval-rule-input.ts";
import { checkFreezeWindows, type FreezeWindowInput, toFreezeWindows } from "./freeze-window-input.ts";
import { checkLimits } from "./limits-input.ts";

/** An absent field stays; null is invalid. Lists are replaced as a whole. */
export interface PolicyInput {
  limits?: LimitsChange | null | undefined;
  approvalRules?: readonly ApprovalRuleInput[] | null | undefined;
  freezeWindows?: readonly FreezeWindowInput[] | null | undefined;
}

export const POLICY_FIELDS = ["limits", "approvalRules", "freezeWindows"] as const;

export function namesPolicy(input: PolicyInput): boolean {
  return POLICY_FIELDS.some((field) => input[field] !== undefined);
}

export function checkPolicy(check: InputCheck, input: PolicyInput, at: Date): void {
  const { limits, approvalRules, freezeWindows } = input;
  for (const field of POLICY_FIELDS) check.require(input[field] !== null, field, "cannot be cleared.");
  if (limits) checkLimits(check, "limits", limits);
  if (approvalRules) checkApprovalRules(check, "approvalRules", toApprovalRules(approvalRules));
  if (freezeWindows) checkFreezeWindows(check, "freezeWindows", freezeWindows, at);
}

export function policyAfter(before: Policy, { limits, approvalRules, freezeWindows }: PolicyInput): Policy {
  return {
    limits: limits ? changedLimits(before.limits, limits) : before.limits,
    approvalRules: approvalRules ? toApprovalRules(approvalRules) : before.approvalRules,
    freezeWindows: freezeWindows ? toFreezeWindows(freezeWindows) : before.freezeWindows,
  };
}

/** The fields of a policy that differ, whatever the order of their keys. */
export function movedPolicy(before: Policy, after: Policy): (typeof POLICY_FIELDS)[number][] {
  return POLICY_FIELDS.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}
