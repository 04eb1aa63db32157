/** The inputs of commands about webhooks, and the reads of webhooks. */
import type { Webhook, WebhookEvent } from "../../model/webhook/webhook.ts";

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
