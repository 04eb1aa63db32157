import { LIMITS } from "../../model/kit/limits.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { rulesInput } from "../settings/rules.ts";
import { OrganizationRef } from "../kit/refs.ts";
import { readSettingsInput } from "../settings/settings-digest.ts";
import { RETENTION_INPUT_WORDS, RetentionInputRef } from "../settings/retention.ts";

/** Builds the success type of a command on an organization, with the organization after the command. */
function organizationSuccess(description: string): Success<Organization> {
  return {
    description,
    fields: (t) => ({
      organization: t.field({
        type: OrganizationRef,
        description: "The organization as it is now.",
        resolve: ({ value }) => value,
      }),
    }),
  };
}

const MAX_RUNS = `The number of runs of one push or tag that begin without a person, from 1 to ${LIMITS.maxRunsPerPush}.`;
const LIMIT = "The number of its runs that may occupy a runner at once, from 1 to 1000.";

mutation("createOrganization", {
  description: "Creates an organization.",
  argument: "The organization.",
  input: {
    description: "The organization to create.",
    fields: (t) => ({
      slug: t.string({
        required: true,
        description:
          "The slug, which never changes: 1 to 63 small letters, digits and hyphens, no hyphen at either end.",
      }),
      name: t.string({ required: true, description: "The display name." }),
      concurrencyLimit: t.int({ required: true, defaultValue: 3, description: LIMIT }),
      maxRunsPerPush: t.int({ required: true, defaultValue: 200, description: MAX_RUNS }),
      retention: t.field({ type: RetentionInputRef, description: RETENTION_INPUT_WORDS }),
      ...rulesInput(t),
    }),
  },
  success: organizationSuccess("The organization was created."),
  run: ({ createOrganization }, caller, { input }) => createOrganization(caller, input),
});

mutation("updateOrganization", {
  description: "Changes an organization.",
  argument: "The organization and its changes.",
  input: {
    description: "The changes to an organization. An absent field is not changed; null is invalid.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization to change." }),
      ...readSettingsInput(t),
      name: t.string({ description: "The display name." }),
      concurrencyLimit: t.int({ description: `${LIMIT} A lower limit does not stop executing runs.` }),
      maxRunsPerPush: t.int({ description: MAX_RUNS }),
      retention: t.field({ type: RetentionInputRef, description: RETENTION_INPUT_WORDS }),
      ...rulesInput(t),
    }),
  },
  success: organizationSuccess("The organization was changed."),
  run: ({ updateOrganization }, caller, { input }) => updateOrganization(caller, input),
});
