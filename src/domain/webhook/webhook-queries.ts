import type { ActorCaller } from "../../model/people/permission.ts";
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
import { queryLists, queryOrNull, queryPlacedLists } from "../access/query.ts";
import type { Deps } from "../kit/deps.ts";

type WebhookReads = ReturnType<typeof createWebhookReads>;

function createWebhookReads({ database }: Pick<Deps, "database">, reads: Reads) {
  const itself = <Row>(row: Row): Row => row;
  const webhooks = reads.byId((ids) => findWebhooks(database, ids), itself);
  const deliveries = reads.byId((ids) => findDeliveries(database, ids), itself);
  return {
    webhooks,
    deliveries,
    ofOrganizations: reads.lists((ids) => listWebhooksOfOrganizations(database, ids), itself),
    ofWorkspaces: reads.below(reads.workspaces, (ids) => listWebhooksOfWorkspaces(database, ids), itself),
    deliveriesOf: (webhookId: string, state: DeliveryState | null, page: PageRequest<string>) =>
      reads.pageBelow(webhooks, webhookId, () => listDeliveries(database, webhookId, state, page)),
    attempts: reads.below(deliveries, (ids) => listAttempts(database, ids, LIMITS.webhookAttemptsShown)),
  };
}

/** Queries about webhooks, which are visible only to callers who may change them. */
export function createWebhookQueries(deps: Pick<Deps, "database">, base: Reads) {
  return webhookQueries(createWebhookReads(deps, base));
}

function webhookQueries(reads: WebhookReads) {
  return {
    webhooks: queryOrNull("WEBHOOK_WRITE", reads.webhooks),
    /** Returns the webhooks of organizations and of those of their workspaces that the caller may see. */
    webhooksOfOrganizations: queryPlacedLists("WEBHOOK_WRITE", reads.ofOrganizations),
    /** Returns the webhooks of the workspace itself, without those of its organization. */
    webhooksOfWorkspaces: queryLists("WEBHOOK_WRITE", reads.ofWorkspaces),
    webhookDeliveries: queryOrNull("WEBHOOK_WRITE", reads.deliveries),
    /** Lists deliveries, newest first; positions are ids. */
    listWebhookDeliveries: async (
      caller: ActorCaller,
      webhookId: string,
      state: DeliveryState | null,
      page: PageRequest<string>,
    ) => (await reads.deliveriesOf(webhookId, state, page))?.permit(caller, "WEBHOOK_WRITE") ?? toPage(page, []),
    /** Returns the newest attempts of each delivery, oldest first. */
    webhookAttempts: queryLists("WEBHOOK_WRITE", reads.attempts),
  };
}
