import { sql } from "kysely";
import type { NewChangesetEvent } from "../../model/run/changeset-event.ts";
import type { Transaction } from "../database/database.ts";

/** Keeps a change of a changeset, and puts it into the feed of its organization. */
export async function appendChangesetEvent(
  tx: Transaction,
  organizationId: string,
  { changesetId, at, actorId, change, gate, workspaceIds }: NewChangesetEvent,
): Promise<void> {
  await sql`
    with event as (
      insert into changeset_event (changeset_id, at, actor_id, change, gate, workspace_ids)
      values (${changesetId}, ${at}, ${actorId}, ${change}, ${gate}, ${workspaceIds}::text[])
      returning id
    )
    insert into feed_pending (organization_id, changeset_id, changeset_event_id)
    select ${organizationId}, ${changesetId}, id from event`.execute(tx.sql);
  tx.published({ organizationId, workspaceId: null, changesetId }, 1);
}
