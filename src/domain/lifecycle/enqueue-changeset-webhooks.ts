import type { CallerScope } from "../../model/people/permission.ts";
import { changesetData } from "../../model/webhook/changeset-message.ts";
import { findChangesets } from "../../persistence/changeset/seen-changeset-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { listIsolatedProjects } from "../../persistence/organization/project-store.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { listOrganizationListeners } from "../../persistence/webhook/webhook-store.ts";
import { enqueueDeliveries, type WebhookDeps } from "./enqueue-webhooks.ts";

const EVENT = "changeset.applied";

/**
 * Queues the webhooks for a changeset that is applied. They are those of the whole organization: what they get covers the
 * workspaces outside of isolated projects.
 */
export async function enqueueChangesetWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  organizationId: string,
  changesetId: string,
): Promise<void> {
  const listeners = await listOrganizationListeners(tx, organizationId, EVENT);
  if (listeners.length === 0) return;
  const hiddenProjectIds = await listIsolatedProjects(tx, organizationId);
  const none = { projectIds: [], workspaceIds: [] };
  const scope: CallerScope = { type: "some", organizationIds: [organizationId], hiddenProjectIds, ...none };
  const [changeset = null] = await findChangesets(tx, scope, [changesetId]);
  const [organization = null] = await findOrganizations(tx, [organizationId]);
  if (changeset === null || organization === null) throw new Error(`${changesetId} or its organization is missing.`);
  const [createdBy = null] = await findActors(tx, [changeset.createdById]);
  await enqueueDeliveries(tx, deps, listeners, EVENT, changesetData(organization, { changeset, createdBy }));
}
