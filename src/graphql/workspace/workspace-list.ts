import type { Workspace } from "../../model/workspace/workspace.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { checkSelector, LABELS_FILTER_WORDS } from "../kit/label-filter.ts";
import { WorkspaceRef } from "../kit/refs.ts";

const EdgeRef = edgeRef<Workspace>("Workspace", "workspace");
export const WorkspaceConnectionRef = connectionRef<Workspace>("Workspace", "A page of workspaces, by name.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: WorkspaceRef, description: "The workspace.", resolve: (edge) => edge.node }),
);
builder.objectField(WorkspaceConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The workspaces.", resolve: (connection) => connection.edges }),
);

/** The arguments of a list of workspaces. */
export function workspaceListArgs() {
  return {
    ...pageArgs(),
    ...builder.args((t) => ({
      search: t.string({ description: "Only workspaces whose name contains this text." }),
      labels: t.stringList({ description: LABELS_FILTER_WORDS }),
    })),
  };
}

type WorkspaceListArguments = PageArguments & {
  search?: string | null | undefined;
  labels?: readonly string[] | null | undefined;
};

/** A page of the workspaces of an organization. */
export async function readWorkspaces(
  { caller, domain }: GraphqlContext,
  organizationId: string,
  args: WorkspaceListArguments,
): Promise<Connection<Workspace>> {
  const name = `workspaces of ${organizationId}`;
  const request = toPageRequest(args, { name, position: namePosition });
  const filter = {
    ...(typeof args.search === "string" && { search: args.search }),
    ...(args.labels?.length && { labels: args.labels }),
  };
  checkSelector(["labels"], filter.labels ?? []);
  const page = await domain.listWorkspaces(caller, organizationId, filter, request);
  return toConnection(name, page, (workspace) => workspace.name);
}
