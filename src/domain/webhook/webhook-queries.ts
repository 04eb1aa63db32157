import { LIMITS } from "../../model/kit/limits.ts";
import { toPage } from "../../model/kit/page.ts";
import { mayAnywhere, type TokenCaller } from "../../model/people/permission.ts";
import { findDeliveries, listAttempts, listDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import {
  findWebhooks,
  listWebhooksOfOrganizations,
  listWebhooksOfWorkspaces,
} from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { WebhookQueries } from "./webhook-domain.ts";

export function createWebhookQueries({ database }: Pick<Deps, "database">): WebhookQueries {
  const each = async <T>(caller: TokenCaller, ids: readonly string[], nothing: () => T, read: () => Promise<T[]>) =>
    ids.length === 0 || !mayAnywhere(caller, "webhook:read") ? ids.map(nothing) : read();
  const none = (): null => null;
  return {
    webhooks: (caller, ids) => each(caller, ids, none, () => findWebhooks(database, ids)),
    webhooksOfOrganizations: (caller, ids) =>
      each(
        caller,
        ids,
        () => [],
        () => listWebhooksOfOrganizations(database, ids),
      ),
    webhooksOfWorkspaces: (caller, ids) =>
      each(
        caller,
        ids,
        () => [],
        () => listWebhooksOfWorkspaces(database, ids),
      ),
    webhookDeliveries: (caller, ids) => each(caller, ids, none, () => findDeliveries(database, ids)),
    listWebhookDeliveries: async (caller, webhookId, state, page) =>
      mayAnywhere(caller, "webhook:read") ? listDeliveries(database, webhookId, state, page) : toPage(page, []),
    webhookAttempts: (caller, ids) =>
      each(
        caller,
        ids,
        () => [],
        () => listAttempts(database, ids, LIMITS.webhookAttemptsShown),
      ),
  };
}
