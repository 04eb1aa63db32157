import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { noteApplied } from "../../persistence/changeset/changeset-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendChangesetEvent } from "../../persistence/feed/changeset-event-store.ts";

/** Notes whether all of a changeset is applied, when a run of it has ended, or takes the place of one that had. */
export async function settleChangeset(
  tx: Transaction,
  { organizationId, changesetId }: { organizationId: string; changesetId: string },
  at: string,
): Promise<void> {
  const change = await noteApplied(tx, changesetId, at);
  if (change === null) return;
  const event = { changesetId, at, actorId: SYSTEM_ACTOR_ID, change, gate: null, workspaceIds: null };
  await appendChangesetEvent(tx, organizationId, event);
}
