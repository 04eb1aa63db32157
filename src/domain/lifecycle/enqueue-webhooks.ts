/** Queues webhook deliveries in the transaction of the change that they report. */
import type { HealthChange } from "../../model/health/runtime-health.ts";
import { effectiveRules } from "../../model/approval/run-rules.ts";
import { openStage } from "../../model/approval/quorum.ts";
import { plannedBy, type Run } from "../../model/run/run.ts";
import { isTerminal, STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { DeliveryEvent, WebhookEvent } from "../../model/webhook/webhook.ts";
import {
  driftData,
  endData,
  expiryData,
  gateData,
  healthData,
  lockData,
  type MessageContext,
  writeMessage,
} from "../../model/webhook/webhook-message.ts";
import type { Actor } from "../../model/people/actor.ts";
import type { Expiry } from "../../model/workspace/expiry.ts";
import type { Drift, DriftChange } from "../../model/workspace/drift.ts";
import { isDriftCheck } from "../../model/workspace/drift-settings.ts";
import type { Workspace, WorkspaceLock } from "../../model/workspace/workspace.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { insertDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import { listListeners } from "../../persistence/webhook/webhook-store.ts";
import { findWorkspacesEver } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readQuorumInput } from "./read-approvals.ts";
import { readStages } from "./run-stages.ts";

export type WebhookDeps = Pick<Deps, "clock" | "newId" | "webhooks">;

interface WorkspaceIds {
  organizationId: string;
  workspaceId: string;
}

/**
 * Queues the webhooks that follow from a change of a run: it reached a gate, ended, or was escalated. Every change
 * calls it.
 */
export async function enqueueRunWebhooks(tx: Transaction, deps: WebhookDeps, before: Run, run: Run): Promise<void> {
  if (before.escalatedAt === null && run.escalatedAt !== null) {
    await enqueueEvent(tx, deps, "run.gate.escalated", run, () => atGate(tx, run));
  }
  if (before.status === run.status) return;
  if (STATUS_TRAITS[run.status].gate !== null) await enqueueGateWebhooks(tx, deps, run);
  // The end of a check for drift is reported by what it found (settleDrift).
  if (isTerminal(run.status) && !isDriftCheck(run)) await enqueueEndWebhooks(tx, deps, run);
}

/** Queues the webhooks for the end of a run. */
export async function enqueueEndWebhooks(tx: Transaction, deps: WebhookDeps, run: Run): Promise<void> {
  await enqueueEvent(tx, deps, "run.ended", run, async () => {
    return endData(await readWorkspaceAndOrganization(tx, run), { run, createdBy: await actorOf(tx, run.createdById) });
  });
}

/** Queues the webhooks for a gate that waits for approvals, or whose next stage opened. */
export async function enqueueGateWebhooks(tx: Transaction, deps: WebhookDeps, run: Run): Promise<void> {
  await enqueueEvent(tx, deps, "run.gate.waiting", run, () => atGate(tx, run));
}

/**
 * Queues the webhooks for a lock of a workspace that was set, changed or removed. `before`: the previous lock, if
 * known.
 */
export async function enqueueLockWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  { organizationId, workspaceId }: WorkspaceIds,
  change: { before: WorkspaceLock | null; actorId: string },
): Promise<void> {
  const ids = { organizationId, workspaceId };
  // Looks for webhooks before it reads the rest: there is hardly ever one.
  const [workspace = null] = await findWorkspacesEver(tx, [workspaceId]);
  const after = workspace?.lock ?? null;
  await enqueueEvent(tx, deps, after === null ? "workspace.unlocked" : "workspace.locked", ids, async () => {
    const actor = await actorOf(tx, change.actorId);
    return lockData(await readWorkspaceAndOrganization(tx, ids), { lock: after ?? change.before, actor });
  });
}

/** Queues the webhooks for drift that was found, or that is another one than before. */
export async function enqueueDriftWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  { id: workspaceId, organizationId }: Pick<Workspace, "id" | "organizationId">,
  drift: Drift,
  change: DriftChange,
): Promise<void> {
  const ids = { organizationId, workspaceId };
  await enqueueEvent(tx, deps, "drift.found", ids, async () =>
    driftData(await readWorkspaceAndOrganization(tx, ids), drift, change),
  );
}

/** Queues the webhooks for a change of the health of a workspace. */
export async function enqueueHealthWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  { workspaceId, organizationId }: WorkspaceIds,
  change: HealthChange & { since: string | null },
): Promise<void> {
  const ids = { organizationId, workspaceId };
  await enqueueEvent(tx, deps, "workspace.health.changed", ids, async () =>
    healthData(await readWorkspaceAndOrganization(tx, ids), change),
  );
}

/** Queues the webhooks about the expiry of a workspace. */
export async function enqueueExpiryWebhooks(
  tx: Transaction,
  deps: WebhookDeps,
  { id: workspaceId, organizationId }: Pick<Workspace, "id" | "organizationId">,
  event: "workspace.expiring" | "workspace.expiry.failed",
  expiry: Expiry,
): Promise<void> {
  const ids = { organizationId, workspaceId };
  await enqueueEvent(tx, deps, event, ids, async () => expiryData(await readWorkspaceAndOrganization(tx, ids), expiry));
}

async function atGate(tx: Transaction, run: Run): Promise<object> {
  const gate = STATUS_TRAITS[run.status].gate ?? "APPLY";
  const plan = await findNewestPlan(tx, plannedBy(run));
  const context = await readWorkspaceAndOrganization(tx, run);
  const rules = effectiveRules(context.organization.rules, context.workspace.rules);
  const [stages = []] = await readStages(tx, [run]);
  const stage = openStage(await readQuorumInput(tx, { run, plan, rules, stages }, gate));
  return gateData(context, { run, createdBy: await actorOf(tx, run.createdById), gate, stage, plan });
}

async function readWorkspaceAndOrganization(tx: Transaction, { organizationId, workspaceId }: WorkspaceIds) {
  const [organization = null] = await findOrganizations(tx, [organizationId]);
  const [workspace = null] = await findWorkspacesEver(tx, [workspaceId]);
  if (organization === null || workspace === null) throw new Error(`${workspaceId} or its organization is missing.`);
  return { organization, workspace };
}

async function actorOf(tx: Transaction, id: string) {
  const [actor = null] = await findActors(tx, [id]);
  return actor;
}

async function enqueueEvent(
  tx: Transaction,
  deps: WebhookDeps,
  event: WebhookEvent,
  ids: WorkspaceIds,
  read: () => Promise<object>,
): Promise<void> {
  const listeners = await listListeners(tx, ids, event);
  if (listeners.length === 0) return;
  await enqueueDeliveries(tx, deps, listeners, event, await read());
}

/** Queues the webhooks for an event of a run, whose data `build` makes. */
export async function enqueueRunEvent(
  tx: Transaction,
  deps: WebhookDeps,
  event: WebhookEvent,
  run: Run,
  build: (context: MessageContext, createdBy: Actor | null) => object,
): Promise<void> {
  await enqueueEvent(tx, deps, event, run, async () =>
    build(await readWorkspaceAndOrganization(tx, run), await actorOf(tx, run.createdById)),
  );
}

/** Creates one delivery of the same message per webhook and returns the ids of the deliveries. */
export async function enqueueDeliveries(
  tx: Transaction,
  deps: WebhookDeps,
  webhookIds: readonly string[],
  event: DeliveryEvent,
  data: object,
): Promise<string[]> {
  const createdAt = deps.clock().toISOString();
  const payload = writeMessage(event, createdAt, data);
  const deliveries = webhookIds.map((webhookId) => {
    return { id: deps.newId("webhookDelivery"), webhookId, event, payload, createdAt };
  });
  await insertDeliveries(tx, deliveries);
  await deps.webhooks.enqueue(
    tx,
    deliveries.map(({ id, webhookId }) => ({ deliveryId: id, webhookId, turn: 1, afterMs: 0 })),
  );
  return deliveries.map(({ id }) => id);
}
