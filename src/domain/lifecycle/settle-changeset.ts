import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { noteApplied } from "../../persistence/changeset/changeset-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendChangesetEvent } from "../../persistence/feed/changeset-event-store.ts";
import { enqueueChangesetWebhooks } from "./enqueue-changeset-webhooks.ts";
import type { WebhookDeps } from "./enqueue-webhooks.ts";

/** Notes whether all of a changeset is applied, when a run of it has ended, or takes the place of one that had. */
export async function settleChangeset(
  tx: Transaction,
  deps: WebhookDeps,
  { organizationId, changesetId }: { organizationId: string; changesetId: string },
  at: string,
): Promise<void> {
  const { change, announces } = await noteApplied(tx, changesetId, at);
  if (announces) await enqueueChangesetWebhooks(tx, deps, organizationId, changesetId);
  if (change === null) return;
  const event = { changesetId, at, actorId: SYSTEM_ACTOR_ID, change, gate: null, workspaceIds: null };
  await appendChangesetEvent(tx, organizationId, event);
}
