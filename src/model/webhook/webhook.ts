/** Outgoing webhooks in the format of Standard Webhooks: events, targets and retries. */

/** The events that can be subscribed to; the `type` of a message. */
export const WEBHOOK_EVENTS = [
  "run.gate.waiting",
  "run.gate.escalated",
  "run.ended",
  "workspace.locked",
  "workspace.unlocked",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** Sent to one webhook at the request of a person. */
export const TEST_EVENT = "webhook.test";
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED", "CANCELED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Its secret is not part of it. */
export interface Webhook {
  id: string;
  organizationId: string;
  /** null: all workspaces of the organization. */
  workspaceId: string | null;
  /** May hold a token in its path or query: only for those who may change it, and never for a log. */
  url: string;
  events: WebhookEvent[];
  description: string | null;
  enabled: boolean;
  /** When the target answered that it is gone for good, which disabled the webhook. */
  goneAt: string | null;
  createdById: string;
  createdAt: string;
}

/** One event for one webhook. */
export interface WebhookDelivery {
  id: string;
  webhookId: string;
  event: DeliveryEvent;
  /** The JSON text that is sent. */
  payload: string;
  state: DeliveryState;
  /** Counts the jobs that were queued for it; an earlier one does nothing. */
  turn: number;
  attemptCount: number;
  /** Attempts that were made before it was asked for again. */
  roundBegan: number;
  createdAt: string;
  /** null where it is over. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** One request. */
export interface WebhookAttempt {
  deliveryId: string;
  /** Counts up within the delivery, from 1. */
  number: number;
  at: string;
  durationMs: number;
  /** null: there was no answer. */
  statusCode: number | null;
  error: string | null;
  /** The beginning of the answer, masked. */
  response: string | null;
}

/** A target that is let through although its address is not public; `port` null: any. */
export type AllowedTarget =
  | { type: "name"; name: string; port: number | null }
  | { type: "network"; address: string; prefix: number; port: number | null };

/** Durations in milliseconds. */
export interface DeliveryLimits {
  /** From the beginning, the look-up of the name included, to the open connection. */
  connectMs: number;
  /** From the beginning to the end of the answer. */
  totalMs: number;
  /** The bytes of an answer that are read. */
  answerBytes: number;
  /** The characters of an answer that are kept. */
  excerptLength: number;
  /** Requests of one server at a time. */
  atOnce: number;
  /** Requests to the target of one webhook at a time, so that a slow one leaves room for the others. */
  atOnceEach: number;
  /** Pauses between attempts; after the last one the delivery has failed. */
  retryMs: readonly number[];
}

/** The shares of a pause that are left to chance, so that what failed together does not come back together. */
const JITTER = 0.2;

/**
 * The pause before the next attempt, or null after the last one. `tries`: those of this round, at least 1.
 * `random`: from 0 to 1.
 */
export function pauseAfter(tries: number, { retryMs }: Pick<DeliveryLimits, "retryMs">, random: number): number | null {
  const pause = retryMs[tries - 1];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

/** DELIVERED: 2xx. GONE: 410, the target wants no more of this. FAILED: anything else, a redirect included. */
export type AttemptResult = "DELIVERED" | "FAILED" | "GONE";

export function attemptResult(statusCode: number | null): AttemptResult {
  if (statusCode === 410) return "GONE";
  return statusCode !== null && statusCode >= 200 && statusCode < 300 ? "DELIVERED" : "FAILED";
}
