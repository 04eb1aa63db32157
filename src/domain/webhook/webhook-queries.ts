import { LIMITS } from "../../model/kit/limits.ts";
import { type PageRequest, toPage } from "../../model/kit/page.ts";
import type { DeliveryState } from "../../model/webhook/webhook.ts";
import { findDeliveries, listAttempts, listDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import {
  findWebhooks,
  listWebhooksOfOrganizations,
  listWebhooksOfWorkspaces,
} from "../../persistence/webhook/webhook-store.ts";
import type { Reads } from "../access/reads.ts";
import { permitLists, permitOrNull } from "../access/unchecked.ts";
import type { Deps } from "../kit/deps.ts";
import type { WebhookQueries } from "./webhook-domain.ts";

type WebhookReads = ReturnType<typeof createWebhookReads>;

function createWebhookReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const itself = <Row>(row: Row): Row => row;
  const webhooks = reads.byId((ids) => findWebhooks(database, ids), itself);
  const deliveries = reads.byId((ids) => findDeliveries(database, ids), itself);
  return {
    webhooks,
    deliveries,
    ofOrganizations: reads.below(reads.organizations, (ids) => listWebhooksOfOrganizations(database, ids), itself),
    ofWorkspaces: reads.below(reads.workspaces, (ids) => listWebhooksOfWorkspaces(database, ids), itself),
    deliveriesOf: (webhookId: string, state: DeliveryState | null, page: PageRequest<string>) =>
      reads.pageBelow(webhooks, webhookId, () => listDeliveries(database, webhookId, state, page)),
    attempts: reads.below(deliveries, (ids) => listAttempts(database, ids, LIMITS.webhookAttemptsShown)),
  };
}

/** Queries about webhooks, which are visible only to callers who may change them. */
export function createWebhookQueries(deps: Pick<Deps, "database">, base: Reads): WebhookQueries {
  return webhookQueries(createWebhookReads(deps, base));
}

function webhookQueries(reads: WebhookReads): WebhookQueries {
  return {
    webhooks: async (caller, ids) => permitOrNull(caller, "webhook:read", await reads.webhooks(ids)),
    webhooksOfOrganizations: async (caller, ids) =>
      permitLists(caller, "webhook:read", await reads.ofOrganizations(ids)),
    webhooksOfWorkspaces: async (caller, ids) => permitLists(caller, "webhook:read", await reads.ofWorkspaces(ids)),
    webhookDeliveries: async (caller, ids) => permitOrNull(caller, "webhook:read", await reads.deliveries(ids)),
    listWebhookDeliveries: async (caller, webhookId, state, page) =>
      (await reads.deliveriesOf(webhookId, state, page))?.permit(caller, "webhook:read") ?? toPage(page, []),
    webhookAttempts: async (caller, ids) => permitLists(caller, "webhook:read", await reads.attempts(ids)),
  };
}
