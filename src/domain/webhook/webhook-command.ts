/** The template of commands about a webhook. */
import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Webhook } from "../../model/webhook/webhook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockWebhook } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command } from "../access/command.ts";
import type { InputCheck } from "../kit/input.ts";

export interface WebhookCommandSpec {
  name: string;
  webhookId: string;
  check?: (input: InputCheck) => void;
}

/** Webhooks are visible only to callers who may change them. Others are refused before the look-up. */
export const WITH_WEBHOOKS = {
  sight: "WEBHOOK_WRITE",
  permission: "WEBHOOK_WRITE",
  words: "working with webhooks",
} as const;

/** Runs a command about a webhook, under the lock of its row (`command`). */
export function commandWebhook<T>(
  deps: Deps,
  caller: ActorCaller,
  { name, webhookId, check }: WebhookCommandSpec,
  work: (tx: Transaction, webhook: Webhook) => Promise<T>,
): Promise<T> {
  return command(
    deps,
    caller,
    {
      ...WITH_WEBHOOKS,
      name,
      subjectId: webhookId,
      noun: "webhook",
      find: async (tx) => (idKind(webhookId) === "webhook" ? lockWebhook(tx, webhookId) : null),
      placeOf: (webhook) => webhook,
      check: (input) => check?.(input),
    },
    work,
  );
}
