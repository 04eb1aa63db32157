import type { Workspace } from "../../model/workspace/workspace.ts";
import { builder } from "../kit/builder.ts";
import { WorkspaceRef } from "../kit/refs.ts";

/** Builds the success type of a command on a workspace, with the workspace after the command. */
export function workspaceSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; workspace: Workspace }>(name).implement({
    description,
    fields: (t) => ({
      workspace: t.field({
        type: WorkspaceRef,
        description: "The workspace as it is now.",
        resolve: ({ workspace }) => workspace,
      }),
    }),
  });
}
