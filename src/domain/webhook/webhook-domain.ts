/** What can be done with webhooks, and read of them; both are part of the surface in `../domain.ts`. */
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type {
  DeliveryState,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEvent,
} from "../../model/webhook/webhook.ts";

export interface CreateWebhookInput {
  organizationId: string;
  /** null: all workspaces of the organization. */
  workspaceId: string | null;
  url: string;
  events: readonly WebhookEvent[];
  description: string | null;
  /** null: one is made. */
  secret: string | null;
}

/** An absent field stays; null clears `description` and is invalid elsewhere. */
export interface UpdateWebhookInput {
  webhookId: string;
  url?: string | null | undefined;
  events?: readonly WebhookEvent[] | null | undefined;
  description?: string | null | undefined;
  enabled?: boolean | null | undefined;
}

export interface WebhookWithSecret {
  webhook: Webhook;
  secret: string;
}

/** Only for those who may write them. */
export interface WebhookQueries {
  webhooks(caller: TokenCaller, ids: readonly string[]): Promise<(Webhook | null)[]>;
  webhooksOfOrganizations(caller: TokenCaller, ids: readonly string[]): Promise<Webhook[][]>;
  /** Those of the workspace alone. */
  webhooksOfWorkspaces(caller: TokenCaller, ids: readonly string[]): Promise<Webhook[][]>;
  webhookDeliveries(caller: TokenCaller, ids: readonly string[]): Promise<(WebhookDelivery | null)[]>;
  /** Newest first; positions are ids. */
  listWebhookDeliveries(
    caller: TokenCaller,
    webhookId: string,
    state: DeliveryState | null,
    page: PageRequest<string>,
  ): Promise<Page<WebhookDelivery>>;
  /** The newest of each delivery, oldest first. */
  webhookAttempts(caller: TokenCaller, deliveryIds: readonly string[]): Promise<WebhookAttempt[][]>;
}
