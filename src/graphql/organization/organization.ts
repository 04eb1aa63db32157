import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { NodeRef } from "../kit/node.ts";
import { OrganizationRef } from "../kit/refs.ts";
import { readWorkspaces, WorkspaceConnectionRef, workspaceListArgs } from "../workspace/workspace-list.ts";

OrganizationRef.implement({
  extensions: asksFor("organization:read"),
  description: "Workspaces that belong together and share a limit of runs at work.",
  interfaces: [NodeRef],
  fields: (t) => ({
    slug: t.exposeString("slug", { description: "The name in addresses; unique, never changed." }),
    name: t.exposeString("name", { description: "The name as it is shown." }),
    concurrencyLimit: t.exposeInt("concurrencyLimit", {
      description: "How many runs may occupy a runner at once; 3 unless set.",
    }),
    workspaces: t.field({
      type: WorkspaceConnectionRef,
      extensions: asksFor("workspace:read"),
      description: "Its workspaces that the caller may read, by name.",
      args: workspaceListArgs(),
      resolve: (organization, args, context) => readWorkspaces(context, organization.id, args),
    }),
  }),
});

builder.queryField("organization", (t) =>
  t.field({
    type: OrganizationRef,
    nullable: true,
    description: "The organization with this slug; `default` exists from the start.",
    args: { slug: t.arg.string({ required: true, description: "Its slug." }) },
    resolve: (_root, { slug }, { caller, domain }) => domain.organizationBySlug(caller, slug),
  }),
);
