/** Starts the work that a server does without a request, but for what it repeats at an interval. */
import type { Hub } from "../bus/hub.ts";
import { createProberDesk } from "../domain/health/prober-desk.ts";
import type { Deps } from "../domain/kit/deps.ts";
import type { Metrics } from "../http/observe/metrics.ts";
import { PUBLIC_PROBES } from "../model/health/prober-desk.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { WebhookJobs } from "../persistence/webhook/webhook-queue.ts";
import { startHealthProbing } from "../probing/start-health-probing.ts";
import { startBulkWorker } from "../workers/bulk.ts";
import { startPolicyWorker } from "../workers/policies.ts";
import { startChangesetWorker } from "../workers/changesets.ts";
import { startExternalChecks } from "../workers/external-checks.ts";
import { startHeadReads, startRepositoryLooks, startTriggerDecisions } from "../workers/repositories.ts";
import { startHealthSamples } from "../workers/health-samples.ts";
import { startSimulations } from "../workers/simulations.ts";
import { startVerifications } from "../workers/verifications.ts";
import { startWebhookDeliveries } from "../workers/webhook-deliveries.ts";

/** Starts the workers; they end with the stack. */
export function startWorkers(
  stack: AsyncDisposableStack,
  deps: Deps,
  { hub, jobs, metrics }: { hub: Hub; jobs: WebhookJobs; metrics: Metrics },
): void {
  stack.use(startBulkWorker(deps, hub));
  stack.use(startSimulations(deps, hub));
  stack.use(startChangesetWorker(deps, hub));
  stack.use(startPolicyWorker(deps, hub));
  stack.use(startRepositoryLooks(deps, hub));
  stack.use(startTriggerDecisions(deps, hub));
  stack.use(startHeadReads(deps, hub));
  // Before the workers that wait for hosts.
  stack.defer(() => closeGit(deps));
  stack.use(
    startWebhookDeliveries(deps, {
      jobs,
      hub,
      allowed: deps.webhookAllow,
      limits: LIMITS.webhookDelivery,
      onAttempt: (result) => metrics.webhookAttempt(result),
    }),
  );
  stack.use(startVerifications(deps, hub));
  stack.use(startHealthSamples(deps));
  stack.use(
    startHealthProbing({
      desk: createProberDesk(deps, PUBLIC_PROBES),
      prober: {
        async probe(request, signal) {
          const sample = await deps.prober.probe(request, signal);
          metrics.probes.ended(sample.ok ? null : sample.failure);
          return sample;
        },
      },
      onStart: (lateMs) => metrics.probes.started(lateMs),
      proberId: `server_${Buffer.from(deps.randomBytes(12)).toString("base64url")}`,
      perSecond: null,
      onError: (error) => deps.reportError(error, "probing the health of workspaces"),
    }),
  );
  stack.use(startExternalChecks(deps, hub, { allowed: deps.webhookAllow, limits: LIMITS.checkRequest }));
}

/** Ends what waits for git hosts; the next server does it. */
async function closeGit({ git, refs }: Deps): Promise<void> {
  await Promise.all([git[Symbol.asyncDispose](), refs[Symbol.asyncDispose]()]);
}
