/** Makes one attempt of a webhook delivery and records its result. */
import {
  type AttemptResult,
  attemptResult,
  type DeliveryLimits,
  pauseAfter,
  type Webhook,
  type WebhookDelivery,
} from "../../model/webhook/webhook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  cancelDeliveries,
  findDeliveries,
  insertAttempt,
  lockDelivery,
  updateDelivery,
} from "../../persistence/webhook/webhook-delivery-store.ts";
import type { TakenDelivery, WebhookJobs } from "../../persistence/webhook/webhook-queue.ts";
import {
  findWebhookSecrets,
  findWebhooks,
  lockWebhook,
  updateWebhookRow,
} from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { sendRequest, type TargetResponse, type Transport } from "../../network/send-request.ts";
import { excerpt } from "./excerpt.ts";
import { signMessage } from "./signature.ts";

const USER_AGENT = "Holdpoint";

export interface DelivererOptions extends Omit<Transport, "limits"> {
  jobs: WebhookJobs;
  limits: DeliveryLimits;
}

interface Attempt extends TargetResponse {
  at: string;
  durationMs: number;
  secrets: readonly string[];
}

/**
 * Sends a delivery once. Records the result in one transaction with the end of the job and the job of the next attempt.
 * `null` if there was nothing to send.
 *
 * Throws if `signal` aborts or the database is unavailable. The job must then be returned to the queue, and the target
 * may get the message twice, with the same id.
 */
export async function deliver(
  deps: Deps,
  options: DelivererOptions,
  taken: TakenDelivery,
  signal: AbortSignal,
): Promise<AttemptResult | null> {
  const [delivery = null] = await findDeliveries(deps.database, [taken.deliveryId]);
  const [webhook = null] = delivery === null ? [] : await findWebhooks(deps.database, [delivery.webhookId]);
  if (delivery === null || !isDue(delivery, taken) || webhook === null || !webhook.enabled) {
    await deps.database.transaction(async (tx) => {
      // Recorded while the webhook was being disabled or deleted. Only this delivery is dropped: the webhook may be
      // enabled again.
      if (webhook?.enabled !== true) await giveUp(tx, taken, deps.clock().toISOString());
      await options.jobs.complete(tx, taken);
    });
    return null;
  }
  const attempt = await send(deps, options, delivery, webhook, signal);
  return deps.database.transaction((tx) => record(tx, deps, options, taken, webhook, attempt));
}

async function giveUp(tx: Transaction, taken: TakenDelivery, at: string): Promise<void> {
  const delivery = await lockDelivery(tx, taken.deliveryId);
  if (delivery === null || !isDue(delivery, taken)) return;
  await updateDelivery(tx, { ...delivery, state: "CANCELED", nextAttemptAt: null, finishedAt: at });
}

function isDue({ state, turn }: WebhookDelivery, taken: TakenDelivery): boolean {
  return state === "PENDING" && turn === taken.turn;
}

async function send(
  deps: Deps,
  options: DelivererOptions,
  { id, payload: body }: WebhookDelivery,
  webhook: Webhook,
  signal: AbortSignal,
): Promise<Attempt> {
  const began = deps.clock();
  const at = began.toISOString();
  const done = (answer: TargetResponse, secrets: readonly string[]): Attempt => {
    return { ...answer, secrets, at, durationMs: Math.max(0, deps.clock().getTime() - began.getTime()) };
  };
  let secrets: string[];
  try {
    secrets = await findWebhookSecrets(deps.database, deps.cipher, webhook.id, at);
  } catch (error) {
    deps.reportError(error, `decrypting the secret of ${webhook.id}`);
    return done(
      {
        statusCode: null,
        error: "The secret of the webhook cannot be decrypted. Rotate it with `rotateWebhookSecret`.",
        text: "",
      },
      [],
    );
  }
  const timestamp = Math.floor(began.getTime() / 1000);
  const headers = {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signMessage({ id, timestamp, body }, secrets),
  };
  return done(await sendRequest({ url: webhook.url, headers, body }, options, signal), secrets);
}

async function record(
  tx: Transaction,
  deps: Deps,
  { jobs, limits }: DelivererOptions,
  taken: TakenDelivery,
  { id: webhookId, url }: Webhook,
  attempt: Attempt,
): Promise<AttemptResult> {
  const { statusCode, at, durationMs } = attempt;
  const answer = attemptResult(statusCode);
  const webhook = answer === "GONE" ? await lockWebhook(tx, webhookId) : null;
  // The URL changed during the request: the result does not count for the new one.
  const result = webhook !== null && webhook.url !== url ? "FAILED" : answer;
  const delivery = await lockDelivery(tx, taken.deliveryId);
  await jobs.complete(tx, taken);
  if (delivery === null) return result;
  const number = delivery.attemptCount + 1;
  const response = statusCode === null ? null : excerpt(attempt.text, [...attempt.secrets, url], limits.excerptLength);
  const error = attempt.error ?? errorOf(statusCode);
  await insertAttempt(tx, { deliveryId: delivery.id, number, at, durationMs, statusCode, error, response });
  const counted = { ...delivery, attemptCount: number };
  // Another server also sent it, or it was requested again: the attempt is stored, the rest belongs to the other.
  if (!isDue(delivery, taken)) {
    await updateDelivery(tx, counted);
    return result;
  }
  const now = deps.clock();
  const next = result === "FAILED" ? pauseAfter(number - delivery.roundBegan, limits, randomOf(deps)) : null;
  if (next === null) {
    const state = result === "DELIVERED" ? "DELIVERED" : "FAILED";
    await updateDelivery(tx, { ...counted, state, nextAttemptAt: null, finishedAt: now.toISOString() });
    if (result === "GONE" && webhook !== null) await disable(tx, webhook, now.toISOString());
    return result;
  }
  const turn = delivery.turn + 1;
  const nextAttemptAt = new Date(now.getTime() + next).toISOString();
  await updateDelivery(tx, { ...counted, turn, nextAttemptAt });
  await jobs.enqueue(tx, [{ deliveryId: delivery.id, webhookId, turn, afterMs: next }]);
  return result;
}

function errorOf(statusCode: number | null): string | null {
  return statusCode !== null && statusCode >= 300 && statusCode < 400 ? "Redirects are not followed." : null;
}

/** Disables a webhook whose target reports that it is gone for good, until a person enables it again. */
async function disable(tx: Transaction, webhook: Webhook, at: string): Promise<void> {
  await updateWebhookRow(tx, webhook.id, { ...webhook, enabled: false, goneAt: at });
  await cancelDeliveries(tx, webhook.id, at);
}

function randomOf({ randomBytes }: Pick<Deps, "randomBytes">): number {
  return Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32;
}
