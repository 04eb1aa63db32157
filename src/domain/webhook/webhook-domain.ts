/** The inputs of commands about webhooks, and the reads of webhooks. */
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
  /** `null` for all workspaces of the organization. */
  workspaceId: string | null;
  url: string;
  events: readonly WebhookEvent[];
  description: string | null;
  /** `null` for a random secret. */
  secret: string | null;
}

/** Absent fields stay unchanged; `null` clears `description` and is invalid elsewhere. */
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

/** Reads of webhooks, for callers who may write them. */
export interface WebhookQueries {
  webhooks(caller: TokenCaller, ids: readonly string[]): Promise<(Webhook | null)[]>;
  webhooksOfOrganizations(caller: TokenCaller, ids: readonly string[]): Promise<Webhook[][]>;
  /** Returns the webhooks of the workspace itself, without those of its organization. */
  webhooksOfWorkspaces(caller: TokenCaller, ids: readonly string[]): Promise<Webhook[][]>;
  webhookDeliveries(caller: TokenCaller, ids: readonly string[]): Promise<(WebhookDelivery | null)[]>;
  /** Lists deliveries, newest first; positions are ids. */
  listWebhookDeliveries(
    caller: TokenCaller,
    webhookId: string,
    state: DeliveryState | null,
    page: PageRequest<string>,
  ): Promise<Page<WebhookDelivery>>;
  /** Returns the newest attempts of each delivery, oldest first. */
  webhookAttempts(caller: TokenCaller, deliveryIds: readonly string[]): Promise<WebhookAttempt[][]>;
}
