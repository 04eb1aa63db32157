import { sql } from "kysely";
import type { WorkspaceEvent } from "../../model/run/feed.ts";
import type { Transaction } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";

const insertEvent = prepared((_db, slot: Slot<WorkspaceEvent & { organizationId: string }>) => {
  return sql`
    with event as (
      insert into workspace_event (workspace_id, at, actor_id, fields)
      values (${slot("workspaceId")}::text, ${slot("at")}::timestamptz, ${slot("actorId")}::text,
        ${slot("fields")}::text[])
      returning id
    )
    insert into feed_pending (organization_id, workspace_id, workspace_event_id)
    select ${slot("organizationId")}::text, ${slot("workspaceId")}::text, id from event`;
});

/** Keeps a fact about a workspace, and puts it into the feed of its organization. */
export async function appendWorkspaceEvent(
  tx: Transaction,
  organizationId: string,
  { workspaceId, at, actorId, fields }: WorkspaceEvent,
): Promise<void> {
  await insertEvent(tx, { organizationId, workspaceId, at, actorId, fields });
  tx.published({ organizationId, workspaceId, changesetId: null }, 1);
}
