import { WEBHOOK_EVENTS, type WebhookEvent } from "../../model/webhook/webhook.ts";
import type { InputCheck } from "../kit/input.ts";
import { isWebhookSecret } from "./signature.ts";

export function checkEvents(check: InputCheck, events: readonly WebhookEvent[]): void {
  check.require(events.length > 0, "events", "must name at least one event.");
  check.require(events.length <= WEBHOOK_EVENTS.length, "events", "must name each event once.");
}

export function checkSecret(check: InputCheck, secret: string | null): void {
  const ok = secret === null || isWebhookSecret(secret);
  check.require(ok, "secret", "must be whsec_ followed by 24 to 64 bytes as base64.");
}
