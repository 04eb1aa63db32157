/** The fields with the limits, approval rules and freeze windows of an organization and a workspace. */
import { writtenLimits, effectiveLimits } from "../../model/workspace/run-limits.ts";
import { ApprovalRuleInputRef, ApprovalRuleRef } from "../approval/approval-rule.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder, type InputFields } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { FreezeWindowInputRef, FreezeWindowRef } from "./freeze-window.ts";
import { OrganizationRef, WorkspaceRef, organizationLoader } from "../kit/refs.ts";
import { EffectiveRunLimitsRef, RunLimitsInputRef, RunLimitsRef } from "./run-limits.ts";

/** Builds the fields of an input that sets limits, approval rules and freeze windows. */
export const rulesInput = (t: InputFields) => ({
  limits: t.field({ type: RunLimitsInputRef, description: "The limits of its runs. An absent limit is not changed." }),
  approvalRules: t.field({
    type: [ApprovalRuleInputRef],
    description: "The whole list of approval rules, in order. If empty, one approval by any approver is enough.",
  }),
  freezeWindows: t.field({
    type: [FreezeWindowInputRef],
    description: "The whole list of freeze windows, in which nothing is applied.",
  }),
});

builder.objectFields(WorkspaceRef, (t) => ({
  limits: t.field({
    type: RunLimitsRef,
    description: "The limits that were set for the workspace.",
    resolve: ({ rules }) => writtenLimits(rules.limits),
  }),
  effectiveLimits: t.field({
    type: EffectiveRunLimitsRef,
    extensions: requiredPermissions("ORGANIZATION_READ"),
    description: "The effective limits of its runs.",
    resolve: async ({ organizationId, rules }, _args, { loaders }) =>
      effectiveLimits(present(await loaders.load(organizationLoader, organizationId), organizationId).rules, rules),
  }),
  approvalRules: t.field({
    type: [ApprovalRuleRef],
    description: "The approval rules of the workspace, which apply after those of its organization.",
    resolve: ({ rules }) => [...rules.approvalRules],
  }),
  freezeWindows: t.field({
    type: [FreezeWindowRef],
    description: "The freeze windows of the workspace, in addition to those of its organization.",
    resolve: ({ rules }) => [...rules.freezeWindows],
  }),
}));

builder.objectFields(OrganizationRef, (t) => ({
  limits: t.field({
    type: RunLimitsRef,
    description: "The limits that were set for the organization. A workspace can set its own.",
    resolve: ({ rules }) => writtenLimits(rules.limits),
  }),
  effectiveLimits: t.field({
    type: EffectiveRunLimitsRef,
    description: "The effective limits of a workspace that sets none.",
    resolve: ({ rules }) => effectiveLimits(rules),
  }),
  approvalRules: t.field({
    type: [ApprovalRuleRef],
    description: "The approval rules for the runs of all its workspaces.",
    resolve: ({ rules }) => [...rules.approvalRules],
  }),
  freezeWindows: t.field({
    type: [FreezeWindowRef],
    description: "The freeze windows of all its workspaces.",
    resolve: ({ rules }) => [...rules.freezeWindows],
  }),
}));
