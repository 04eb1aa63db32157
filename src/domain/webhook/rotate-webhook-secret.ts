import { LIMITS } from "../../model/kit/limits.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { replaceWebhookSecret } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { newWebhookSecret } from "./signature.ts";
import { commandWebhook } from "./webhook-command.ts";
import type { WebhookWithSecret } from "./webhook-domain.ts";
import { checkSecret } from "./webhook-input.ts";

export interface RotateWebhookSecretInput {
  webhookId: string;
  /** null: a random one is made. */
  secret: string | null;
  /** The former secret signs no more; otherwise it signs for a day beside the new one. */
  revokeNow: boolean;
}

/**
 * Gives a webhook a new secret. For a day messages carry the signature of the former one as well, so that the target can
 * change over; `revokeNow` is for a secret that others know.
 */
export function rotateWebhookSecret(
  deps: Deps,
  caller: TokenCaller,
  input: RotateWebhookSecretInput,
): Promise<WebhookWithSecret> {
  const { webhookId, revokeNow } = input;
  const spec = {
    name: "rotateWebhookSecret",
    webhookId,
    check: (check) => checkSecret(check, input.secret),
  } satisfies Parameters<typeof commandWebhook>[2];
  return commandWebhook(deps, caller, spec, async (tx, webhook) => {
    const secret = input.secret ?? newWebhookSecret(deps.randomBytes);
    const until = new Date(deps.clock().getTime() + LIMITS.webhookFormerSecretMs).toISOString();
    await replaceWebhookSecret(tx, deps.cipher, webhookId, { secret, formerUntil: revokeNow ? null : until });
    return { webhook, secret };
  });
}
