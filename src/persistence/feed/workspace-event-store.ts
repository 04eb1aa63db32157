import { sql } from "kysely";
import type { WorkspaceEvent } from "../../model/run/feed.ts";
import type { Transaction } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";

const insertEvent = prepared(
  (_db, slot: Slot<Omit<WorkspaceEvent, "health"> & { organizationId: string; health: string | null }>) => {
    return sql`
    with event as (
      insert into workspace_event (workspace_id, at, actor_id, fields, health)
      values (${slot("workspaceId")}::text, ${slot("at")}::timestamptz, ${slot("actorId")}::text,
        ${slot("fields")}::text[], ${slot("health")}::jsonb)
      returning id
    )
    insert into feed_pending (organization_id, workspace_id, workspace_event_id)
    select ${slot("organizationId")}::text, ${slot("workspaceId")}::text, id from event`;
  },
);

/** An event that is to be kept. `health`: absent unless the event is its change. */
type NewWorkspaceEvent = Omit<WorkspaceEvent, "health"> & Partial<Pick<WorkspaceEvent, "health">>;

/** Keeps a fact about a workspace, and puts it into the feed of its organization. */
export async function appendWorkspaceEvent(
  tx: Transaction,
  organizationId: string,
  { workspaceId, at, actorId, fields, health = null }: NewWorkspaceEvent,
): Promise<void> {
  const change = health === null ? null : JSON.stringify(health);
  await insertEvent(tx, { organizationId, workspaceId, at, actorId, fields, health: change });
  tx.published({ organizationId, workspaceId, changesetId: null }, 1);
}
