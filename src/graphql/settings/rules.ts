/** What an organization and a workspace say about all their runs. */
import { writtenLimits, holdingLimits } from "../../model/workspace/run-limits.ts";
import { ApprovalRuleRef } from "../approval/approval-rule.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { FreezeWindowRef } from "./freeze-window.ts";
import { OrganizationRef, WorkspaceRef } from "../kit/refs.ts";
import { EffectiveRunLimitsRef, RunLimitsRef } from "./run-limits.ts";

/** Descriptions of the same fields in inputs. */
export const POLICY_INPUT_WORDS = {
  limits: "Limits of its runs; what is absent in it stays.",
  approvalRules: "Who must approve: the whole list, in order; empty: one approval by whoever may approve.",
  freezeWindows: "When nothing is applied: the whole list.",
} as const;

builder.objectFields(WorkspaceRef, (t) => ({
  limits: t.field({
    type: RunLimitsRef,
    description: "The limits of its runs that were set for it.",
    resolve: ({ rules }) => writtenLimits(rules.limits),
  }),
  effectiveLimits: t.field({
    type: EffectiveRunLimitsRef,
    extensions: asksFor("organization:read"),
    description: "The limits that hold for its runs.",
    resolve: async ({ organizationId, rules }, _args, { loaders }) =>
      holdingLimits(present(await loaders.organization.load(organizationId), organizationId).rules, rules),
  }),
  approvalRules: t.field({
    type: [ApprovalRuleRef],
    description: "Who must approve its runs, after the rules of its organization.",
    resolve: ({ rules }) => [...rules.approvalRules],
  }),
  freezeWindows: t.field({
    type: [FreezeWindowRef],
    description: "When nothing of it is applied, besides the windows of its organization.",
    resolve: ({ rules }) => [...rules.freezeWindows],
  }),
}));

builder.objectFields(OrganizationRef, (t) => ({
  limits: t.field({
    type: RunLimitsRef,
    description: "The limits of runs that were set for it; a workspace can set others.",
    resolve: ({ rules }) => writtenLimits(rules.limits),
  }),
  effectiveLimits: t.field({
    type: EffectiveRunLimitsRef,
    description: "The limits that hold for the runs of a workspace that sets none.",
    resolve: ({ rules }) => holdingLimits(rules),
  }),
  approvalRules: t.field({
    type: [ApprovalRuleRef],
    description: "Who must approve the runs of all its workspaces.",
    resolve: ({ rules }) => [...rules.approvalRules],
  }),
  freezeWindows: t.field({
    type: [FreezeWindowRef],
    description: "When nothing is applied in all its workspaces.",
    resolve: ({ rules }) => [...rules.freezeWindows],
  }),
}));
