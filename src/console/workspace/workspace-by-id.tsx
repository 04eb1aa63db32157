import { Navigate } from "@tanstack/react-router";
import { WorkspaceByIdDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";

/** Leads from the permanent link of a workspace, which external checks get, to its page. */
export function WorkspaceById({ id }: { id: string }) {
  const [{ data, error, fetching }] = useDocument(WorkspaceByIdDocument, { id });
  const workspace = data?.workspace;
  if (workspace == null) {
    if (error !== undefined) return <p role="alert">{error.message}</p>;
    return <p>{fetching ? "Loading…" : "There is no such workspace that you may see."}</p>;
  }
  const params = { organization: workspace.organization.slug, workspace: workspace.name };
  return <Navigate to="/o/$organization/w/$workspace" params={params} replace />;
}
