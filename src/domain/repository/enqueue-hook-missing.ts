import type { GitHost } from "../../model/repository/git-host.ts";
import { polledShare } from "../../model/repository/look.ts";
import type { Repository } from "../../model/repository/repository.ts";
import { hookMissingData } from "../../model/webhook/webhook-message.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { listOrganizationListeners } from "../../persistence/webhook/webhook-store.ts";
import { enqueueDeliveries, type WebhookDeps } from "../lifecycle/enqueue-webhooks.ts";

const EVENT = "repository.hook.missing";

/** Queues the webhooks for a repository whose changes are found by polling, because its hooks do not arrive. */
export async function enqueueHookMissing(
  tx: Transaction,
  deps: WebhookDeps,
  { repository, host, foundBy }: { repository: Repository; host: GitHost; foundBy: string },
): Promise<void> {
  const listeners = await listOrganizationListeners(tx, repository.organizationId, EVENT);
  const [organization = null] = listeners.length === 0 ? [] : await findOrganizations(tx, [repository.organizationId]);
  if (organization === null) return;
  const message = `${polledShare(foundBy)} changes of ${repository.name} were found by polling: its hooks do not arrive.`;
  const data = hookMissingData(organization, { repository, hostName: host.name, message });
  await enqueueDeliveries(tx, deps, listeners, EVENT, data);
}
