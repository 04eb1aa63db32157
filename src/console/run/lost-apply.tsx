import { WorkspaceLocksDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Holds } from "../workspace/holds.tsx";

/** The way out where an apply of this run left its workspace locked. Nothing if the lock is gone, or of another run. */
export function LostApply({ runId, workspaceId }: { runId: string; workspaceId: string }) {
  const [{ data }, reload] = useDocument(WorkspaceLocksDocument, { id: workspaceId });
  const workspace = data?.workspace;
  if (workspace?.lock?.run?.id !== runId) return null;
  return <Holds workspace={workspace} onDone={() => reload({ requestPolicy: "network-only" })} />;
}
