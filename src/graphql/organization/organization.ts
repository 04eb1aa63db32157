import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { OrganizationRef, organizationLoader } from "../kit/refs.ts";
import { readWorkspaces, WorkspaceConnectionRef, workspaceListArgs } from "../workspace/workspace-list.ts";

addNode("organization", "Organization", organizationLoader);
OrganizationRef.implement({
  extensions: requiredPermissions("ORGANIZATION_READ"),
  description: "A group of workspaces that share a limit of concurrent runs.",
  interfaces: [NodeRef],
  fields: (t) => ({
    slug: t.exposeString("slug", { description: "The unique name in addresses, which never changes." }),
    name: t.exposeString("name", { description: "The display name." }),
    concurrencyLimit: t.exposeInt("concurrencyLimit", {
      description: "The number of runs that may occupy a runner at once; 3 by default.",
    }),
    maxRunsPerPush: t.exposeInt("maxRunsPerPush", {
      description:
        "The number of runs of one push or tag that begin without a person; 200 by default. The changeset of a larger one waits for `continueChangeset`.",
    }),
    workspaces: t.field({
      type: WorkspaceConnectionRef,
      extensions: requiredPermissions("WORKSPACE_READ"),
      description: "The workspaces that the caller may read, by name.",
      args: workspaceListArgs(),
      resolve: (organization, args, context) => readWorkspaces(context, organization.id, args),
    }),
  }),
});

builder.queryField("organization", (t) =>
  t.field({
    type: OrganizationRef,
    nullable: true,
    description:
      "The organization with this slug. `null` if it does not exist, or the caller may not read it. `default` exists from the start.",
    args: { slug: t.arg.string({ required: true, description: "The slug of the organization." }) },
    resolve: (_root, { slug }, { caller, domain }) => domain.organizationBySlug(caller, slug),
  }),
);
