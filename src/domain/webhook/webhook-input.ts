import { LIMITS } from "../../model/kit/limits.ts";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../model/webhook/webhook.ts";
import type { InputCheck } from "../kit/input.ts";
import { isAllowedAddress, literalAddress, targetOf } from "../network/address-guard.ts";
import { isWebhookSecret } from "./signature.ts";

/** Checks a URL. A literal address that is not allowed is refused here; a name is checked at each request. */
export function checkUrl(check: InputCheck, text: string, allowed: readonly AllowedTarget[]): void {
  const max = LIMITS.webhookUrlLength;
  if (text.length > max) return check.refuse("url", `must have at most ${max} characters.`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return check.refuse("url", "must be an address that begins with https:// or http://.");
  }
  if (/[\p{Cc}\s]/u.test(text)) return check.refuse("url", "must not contain white space or control characters.");
  if (url.username !== "" || url.password !== "") {
    return check.refuse("url", "must not contain a user or a password: messages are signed.");
  }
  if (url.hash !== "") return check.refuse("url", "must not contain a fragment (#), which is never sent.");
  const target = targetOf(url);
  const literal = literalAddress(target);
  if (literal !== null && !isAllowedAddress(literal, target, allowed)) {
    check.refuse("url", "must not be an internal address, unless HOLDPOINT_WEBHOOK_ALLOW names it.");
  }
}

export function checkEvents(check: InputCheck, events: readonly WebhookEvent[]): void {
  check.require(events.length > 0, "events", "must name at least one event.");
  check.require(events.length <= WEBHOOK_EVENTS.length, "events", "must name each event once.");
}

export function checkSecret(check: InputCheck, secret: string | null): void {
  const ok = secret === null || isWebhookSecret(secret);
  check.require(ok, "secret", "must be whsec_ followed by 24 to 64 bytes as base64.");
}
