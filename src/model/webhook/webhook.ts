/** Outgoing webhooks in the format of Standard Webhooks: events, targets and retries. */

/** The events that can be subscribed to; the `type` of a message. */
export const WEBHOOK_EVENTS = [
  "run.gate.waiting",
  "run.gate.escalated",
  "run.ended",
  "run.policy.denied",
  "run.verification.failed",
  "run.rollback.proposed",
  "policy.errored",
  "workspace.locked",
  "workspace.unlocked",
  "workspace.health.changed",
  "changeset.applied",
  "drift.found",
  "workspace.expiring",
  "workspace.expiry.failed",
  "repository.hook.missing",
  "policy.exception.expiring",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** The event of a test that a person requests for one webhook. */
export const TEST_EVENT = "webhook.test";
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

export const DELIVERY_STATES = ["PENDING", "DELIVERED", "FAILED", "CANCELED"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A webhook without its secret. */
export interface Webhook {
  id: string;
  organizationId: string;
  /** That of the workspace. */
  projectId: string | null;
  /** `null`: all workspaces of the organization. */
  workspaceId: string | null;
  /** May contain a token: shown only to callers who may change the webhook, and never logged. */
  url: string;
  events: WebhookEvent[];
  description: string | null;
  enabled: boolean;
  /** When the target answered 410, which disabled the webhook. */
  goneAt: string | null;
  createdById: string;
  createdAt: string;
}

/** One event for one webhook. */
export interface WebhookDelivery {
  id: string;
  webhookId: string;
  event: DeliveryEvent;
  /** The JSON text of the message. */
  payload: string;
  state: DeliveryState;
  /** Counts the jobs that were queued for it; an outdated job does nothing. */
  turn: number;
  attemptCount: number;
  /** The number of attempts before the latest request for redelivery. */
  roundBegan: number;
  createdAt: string;
  /** `null` once the delivery is finished. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
}

/** One request of a delivery. */
export interface WebhookAttempt {
  deliveryId: string;
  /** Counts up within the delivery, from 1. */
  number: number;
  at: string;
  durationMs: number;
  /** `null`: there was no response. */
  statusCode: number | null;
  error: string | null;
  /** The beginning of the response, masked. */
  response: string | null;
}

/** Durations in milliseconds. */
export interface DeliveryLimits {
  /** The time for the look-up of the name and the connection. */
  connectMs: number;
  /** The time for the whole request and response. */
  totalMs: number;
  /** The bytes of a response that are read. */
  answerBytes: number;
  /** The characters of a response that are stored. */
  excerptLength: number;
  /** Requests of one server at a time. */
  atOnce: number;
  /** Concurrent requests to the target of one webhook, so that a slow one leaves room for the others. */
  atOnceEach: number;
  /** Pauses between attempts; after the last attempt the delivery has failed. */
  retryMs: readonly number[];
}

/** The random share of a pause, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/**
 * Returns the pause before the next attempt; `null` after the last one. `tries`: the attempts of this round, at least
 * 1. `random`: from 0 to 1.
 */
export function pauseAfter(tries: number, { retryMs }: Pick<DeliveryLimits, "retryMs">, random: number): number | null {
  const pause = retryMs[tries - 1];
  return pause === undefined ? null : Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

/** DELIVERED: 2xx. GONE: 410, the target wants no more messages. FAILED: anything else, also a redirect. */
export type AttemptResult = "DELIVERED" | "FAILED" | "GONE";

export function attemptResult(statusCode: number | null): AttemptResult {
  if (statusCode === 410) return "GONE";
  return statusCode !== null && statusCode >= 200 && statusCode < 300 ? "DELIVERED" : "FAILED";
}
