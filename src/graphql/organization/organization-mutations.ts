import type { Organization } from "../../model/workspace/workspace.ts";
import { answer } from "../kit/answer.ts";
import { ApprovalRuleInputRef } from "../approval/approval-rule.ts";
import { FreezeWindowInputRef } from "../settings/freeze-window.ts";
import { POLICY_INPUT_WORDS } from "../settings/rules.ts";
import { RunLimitsInputRef } from "../settings/run-limits.ts";
import { builder } from "../kit/builder.ts";
import { OrganizationRef } from "../kit/refs.ts";
import { RETENTION_INPUT_WORDS, RetentionInputRef } from "../settings/retention.ts";
import { ForbiddenErrorRef, InvalidInputErrorRef, NameTakenErrorRef, NotFoundErrorRef } from "../kit/user-error.ts";

/** Builds the success type of a command on an organization, with the organization after the command. */
function organizationSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; organization: Organization }>(name).implement({
    description,
    fields: (t) => ({
      organization: t.field({
        type: OrganizationRef,
        description: "The organization as it is now.",
        resolve: ({ organization }) => organization,
      }),
    }),
  });
}

const LIMIT = "The number of its runs that may occupy a runner at once, from 1 to 1000.";

const CreateOrganizationInputRef = builder.inputType("CreateOrganizationInput", {
  description: "The organization to create.",
  fields: (t) => ({
    slug: t.string({
      required: true,
      description: "The slug, which never changes: 1 to 63 small letters, digits and hyphens, no hyphen at either end.",
    }),
    name: t.string({ required: true, description: "The display name." }),
    concurrencyLimit: t.int({ required: true, defaultValue: 3, description: LIMIT }),
    retention: t.field({ type: RetentionInputRef, description: RETENTION_INPUT_WORDS }),
    limits: t.field({ type: RunLimitsInputRef, description: POLICY_INPUT_WORDS.limits }),
    approvalRules: t.field({ type: [ApprovalRuleInputRef], description: POLICY_INPUT_WORDS.approvalRules }),
    freezeWindows: t.field({ type: [FreezeWindowInputRef], description: POLICY_INPUT_WORDS.freezeWindows }),
  }),
});
const CreateOrganizationSuccessRef = organizationSuccess("CreateOrganizationSuccess", "The organization was created.");
const CreateOrganizationResultRef = builder.unionType("CreateOrganizationResult", {
  description: "The result of `createOrganization`.",
  types: [CreateOrganizationSuccessRef, InvalidInputErrorRef, ForbiddenErrorRef, NameTakenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("createOrganization", (t) =>
  t.field({
    type: CreateOrganizationResultRef,
    description: "Creates an organization.",
    args: { input: t.arg({ type: CreateOrganizationInputRef, required: true, description: "The organization." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "ForbiddenError", "NameTakenError"], async () => ({
        type: "CreateOrganizationSuccess" as const,
        organization: await context.domain.createOrganization(context.caller, input),
      })),
  }),
);

const UpdateOrganizationInputRef = builder.inputType("UpdateOrganizationInput", {
  description: "The changes to an organization. An absent field is not changed; null is invalid.",
  fields: (t) => ({
    organizationId: t.id({ required: true, description: "The organization to change." }),
    name: t.string({ description: "The display name." }),
    concurrencyLimit: t.int({ description: `${LIMIT} A lower limit does not stop executing runs.` }),
    retention: t.field({ type: RetentionInputRef, description: RETENTION_INPUT_WORDS }),
    limits: t.field({ type: RunLimitsInputRef, description: POLICY_INPUT_WORDS.limits }),
    approvalRules: t.field({ type: [ApprovalRuleInputRef], description: POLICY_INPUT_WORDS.approvalRules }),
    freezeWindows: t.field({ type: [FreezeWindowInputRef], description: POLICY_INPUT_WORDS.freezeWindows }),
  }),
});
const UpdateOrganizationSuccessRef = organizationSuccess("UpdateOrganizationSuccess", "The organization was changed.");
const UpdateOrganizationResultRef = builder.unionType("UpdateOrganizationResult", {
  description: "The result of `updateOrganization`.",
  types: [UpdateOrganizationSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("updateOrganization", (t) =>
  t.field({
    type: UpdateOrganizationResultRef,
    description: "Changes an organization.",
    args: {
      input: t.arg({
        type: UpdateOrganizationInputRef,
        required: true,
        description: "The organization and its changes.",
      }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError"], async () => ({
        type: "UpdateOrganizationSuccess" as const,
        organization: await context.domain.updateOrganization(context.caller, input),
      })),
  }),
);
