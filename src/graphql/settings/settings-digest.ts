/** Digests of the settings of organizations and workspaces: a caller can change only what it has read. */
import { builder, type InputFields } from "../kit/builder.ts";
import { OrganizationRef, WorkspaceRef } from "../kit/refs.ts";
import { probesLoader } from "./probe.ts";

/** Builds the field of an input by which a caller names the settings that it has read. */
export const readSettingsInput = (t: InputFields) => ({
  settingsDigest: t.string({
    description:
      "The `settingsDigest` that was read. If the settings differ now, it is an InvalidInputError for this field, and nothing is changed. If absent, that is not checked.",
  }),
});

const DIGEST = "The SHA-256 of its settings, in hexadecimal digits. Give it to";

builder.objectField(WorkspaceRef, "settingsDigest", (t) =>
  t.string({
    description: `${DIGEST} \`updateWorkspace\` to change nothing that others have changed since. Variables and secrets are not in it.`,
    resolve: async (workspace, _args, { domain, loaders }) =>
      domain.workspaceSettingsDigest(workspace, await loaders.load(probesLoader, workspace.id)),
  }),
);

builder.objectField(OrganizationRef, "settingsDigest", (t) =>
  t.string({
    description: `${DIGEST} \`updateOrganization\` to change nothing that others have changed since.`,
    resolve: (organization, _args, { domain }) => domain.organizationSettingsDigest(organization),
  }),
);
