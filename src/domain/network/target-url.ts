import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { InputCheck } from "../kit/input.ts";
import { isRefusedLiteral, targetOf } from "../../network/address-guard.ts";

/**
 * Checks a URL to which signed messages are sent. A literal address that is not allowed is refused here; a name is checked
 * at each request.
 */
export function checkTargetUrl(
  check: InputCheck,
  text: string,
  allowed: readonly AllowedTarget[],
  refused = "must not be an internal address, unless HOLDPOINT_WEBHOOK_ALLOW names it.",
): void {
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
  if (isRefusedLiteral(targetOf(url), allowed)) {
    check.refuse("url", refused);
  }
}
