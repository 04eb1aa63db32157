/** Webhooks for exceptions whose end comes near. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyException } from "../../model/policy/policy-exception.ts";
import { exceptionData } from "../../model/webhook/webhook-message.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { announceExpiring } from "../../persistence/policy/policy-exception-store.ts";
import { findPolicySets } from "../../persistence/policy/policy-set-store.ts";
import { listOrganizationListeners } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueDeliveries } from "../lifecycle/enqueue-webhooks.ts";

const EVENT = "policy.exception.expiring";

/** Queues the webhooks for exceptions that end within a week, once each. */
export async function announceExpiringExceptions(deps: Deps): Promise<void> {
  const now = deps.clock();
  const until = new Date(now.getTime() + LIMITS.exceptionNoticeMs).toISOString();
  const due = { at: now.toISOString(), until, limit: LIMITS.exceptionsByRound };
  await deps.database.transaction(async (tx) => {
    for (const exception of await announceExpiring(tx, due)) await enqueue(tx, deps, exception);
  });
}

async function enqueue(tx: Transaction, deps: Deps, exception: PolicyException): Promise<void> {
  const listeners = await listOrganizationListeners(tx, exception.organizationId, EVENT);
  if (listeners.length === 0) return;
  const [organization = null] = await findOrganizations(tx, [exception.organizationId]);
  const [set = null] = await findPolicySets(tx, [exception.setId]);
  if (organization === null || set === null) return;
  const [requestedBy = null] = await findActors(tx, [exception.requestedById]);
  await enqueueDeliveries(tx, deps, listeners, EVENT, exceptionData(organization, { set, exception, requestedBy }));
}
