/** What the commands about a webhook have in common. */
import { idKind } from "../../model/kit/id.ts";
import { can, type TokenCaller } from "../../model/people/permission.ts";
import { forbidden, notFound } from "../../model/kit/user-error.ts";
import type { Webhook } from "../../model/webhook/webhook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockWebhook } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recorded } from "../kit/guard.ts";
import { InputCheck } from "../kit/input.ts";

export interface WebhookCommandSpec {
  name: string;
  webhookId: string;
  check?: (input: InputCheck) => void;
}

/** Authorises, checks, locks the row of the webhook and does the work in one transaction. Refusals are recorded. */
export function commandWebhook<T>(
  deps: Deps,
  caller: TokenCaller,
  { name, webhookId, check }: WebhookCommandSpec,
  work: (tx: Transaction, webhook: Webhook) => Promise<T>,
): Promise<T> {
  return recorded(deps, caller, name, webhookId, () =>
    deps.database.transaction(async (tx) => {
      authorizeWebhooks(caller);
      const webhook = idKind(webhookId) === "webhook" ? await lockWebhook(tx, webhookId) : null;
      if (webhook === null) throw notFound("webhook");
      const input = new InputCheck();
      check?.(input);
      input.done();
      return work(tx, webhook);
    }),
  );
}

/** Before anything is looked up: whoever may not read webhooks must not learn which there are. */
export function authorizeWebhooks(caller: TokenCaller): void {
  if (!can(caller, "webhook:write")) throw forbidden("working with webhooks");
}
