import type { WorkspaceEvent } from "../model/feed.ts";
import type { Transaction } from "./database.ts";

/** Keeps a fact about a workspace, and puts it into the feed of its organization. */
export async function appendWorkspaceEvent(
  tx: Transaction,
  organizationId: string,
  { workspaceId, at, actorId, fields }: WorkspaceEvent,
): Promise<void> {
  const row = await tx.sql
    .insertInto("workspace_event")
    .values({ workspace_id: workspaceId, at, actor_id: actorId, fields })
    .returning("id")
    .executeTakeFirstOrThrow();
  tx.publish({ organizationId, workspaceId, workspaceEventId: row.id });
}
