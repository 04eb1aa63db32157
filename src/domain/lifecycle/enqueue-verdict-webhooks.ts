/** Queues webhooks about what policies and external checks found. */
import { rejecting, type Verdict } from "../../model/policy/verdict.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { verdictData } from "../../model/webhook/policy-message.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { enqueueRunEvent, type WebhookDeps } from "./enqueue-webhooks.ts";

/**
 * Queues the webhooks that follow from a verdict: the run was denied, or something could not be judged, under any mode of
 * errors.
 */
export async function enqueueVerdictWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  run: Run,
  verdict: Verdict,
): Promise<void> {
  const { denials, asks, demands, advice } = verdict;
  if (isTerminal(run.status) && run.failure?.stage === "POLICY") {
    await enqueueRunEvent(tx, deps, "run.policy.denied", run, (context, createdBy) =>
      verdictData(context, { run, createdBy, findings: rejecting(verdict) }),
    );
  }
  const errors = [...denials, ...asks, ...demands, ...advice].filter(({ status }) => status === "ERROR");
  if (errors.length === 0) return;
  await enqueueRunEvent(tx, deps, "policy.errored", run, (context, createdBy) =>
    verdictData(context, { run, createdBy, findings: errors }),
  );
}
