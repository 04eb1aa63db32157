import { LIMITS } from "../../model/kit/limits.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { replaceWebhookSecret } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { newWebhookSecret } from "./signature.ts";
import { commandWebhook } from "./webhook-command.ts";
import type { WebhookWithSecret } from "./webhook-domain.ts";
import { checkSecret } from "./webhook-input.ts";

export interface RotateWebhookSecretInput {
  webhookId: string;
  /** `null` for a random secret. */
  secret: string | null;
  /** Stops using the former secret at once; otherwise both sign for a day. */
  revokeNow: boolean;
}

/**
 * Replaces the secret of a webhook. For a day messages carry the signatures of both secrets, so that the target can
 * change over. `revokeNow` is for a leaked secret.
 */
export function rotateWebhookSecret(
  deps: Deps,
  caller: ActorCaller,
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
