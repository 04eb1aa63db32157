import { builder } from "../kit/builder.ts";
import { toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { PolicySetRef } from "../policy/policy-set.ts";
import { WorkspaceConnectionRef } from "./workspace-list.ts";

builder.objectField(PolicySetRef, "workspaces", (t) =>
  t.field({
    type: WorkspaceConnectionRef,
    extensions: requiredPermissions("WORKSPACE_READ"),
    description: "The workspaces that the set selects and that the caller may read, by name.",
    args: pageArgs(),
    resolve: async (set, args, { caller, domain }) => {
      const name = `workspaces of ${set.id}`;
      const request = toPageRequest(args, { name, position: namePosition });
      const page = await domain.listWorkspacesOfPolicySet(caller, set, request);
      return toConnection(name, page, (workspace) => workspace.name);
    },
  }),
);
