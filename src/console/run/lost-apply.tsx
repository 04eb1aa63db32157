import { WorkspaceLiveDocument, WorkspaceLocksDocument } from "../generated/graphql.ts";
import { useDocument, useStream } from "../live/documents.ts";
import { useReread } from "../parts/use-reread.ts";
import { Holds } from "../workspace/holds.tsx";

/** The way out where an apply of this run left its workspace locked. Nothing if the lock is gone, or of another run. */
export function LostApply({ runId, workspaceId }: { runId: string; workspaceId: string }) {
  const [{ data }, reload] = useDocument(WorkspaceLocksDocument, { id: workspaceId });
  const reread = useReread(reload);
  useStream(WorkspaceLiveDocument, { workspaceId }, { onItem: reread });
  const workspace = data?.workspace;
  if (workspace?.lock?.run?.id !== runId) return null;
  return <Holds workspace={workspace} onDone={reload} />;
}
