import type { Commands } from "../kit/bind-commands.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { redeliverWebhook } from "./redeliver-webhook.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateWebhook } from "./update-webhook.ts";

/** The commands about webhooks, by name. */
export const WEBHOOK_COMMANDS = {
  createWebhook: { run: createWebhook, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  deleteWebhook: { run: deleteWebhook, errors: ["NOT_FOUND", "FORBIDDEN"] },
  redeliverWebhook: { run: redeliverWebhook, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  rotateWebhookSecret: { run: rotateWebhookSecret, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  testWebhook: { run: testWebhook, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  updateWebhook: { run: updateWebhook, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
