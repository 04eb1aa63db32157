import { verificationData } from "../../model/webhook/verification-message.ts";
import type { Run } from "../../model/run/run.ts";
import type { Verification } from "../../model/verification/verification.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { enqueueRunEvent, type WebhookDeps } from "../lifecycle/enqueue-webhooks.ts";

/** Queues the webhooks for a verification that failed, or waits for the judgement of a person. */
export async function enqueueVerificationWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  run: Run,
  verification: Verification,
): Promise<void> {
  await enqueueRunEvent(tx, deps, "run.verification.failed", run, (context, createdBy) =>
    verificationData(context, { run, createdBy, verification }),
  );
}
