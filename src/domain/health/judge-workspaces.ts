/** Derives the health of workspaces from that of their targets, and records its changes. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import { type HealthVerdict, judgeHealth } from "../../model/health/runtime-health.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendWorkspaceEvent } from "../../persistence/feed/workspace-event-store.ts";
import { type LockedHealth, updateHealth } from "../../persistence/health/health-store.ts";
import { listShownTargets } from "../../persistence/health/target-store.ts";
import { listHeardWorkspaces } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Judges workspaces, whose health must be locked. A change of the health is an event; that of its reason alone is none. */
export async function judgeWorkspaces(
  tx: Transaction,
  { clock }: Pick<Deps, "clock">,
  locked: readonly LockedHealth[],
): Promise<void> {
  if (locked.length === 0) return;
  const targets = await listShownTargets(
    tx,
    locked.map(({ workspaceId }) => workspaceId),
  );
  const byWorkspace = Map.groupBy(targets, ({ workspaceId }) => workspaceId);
  const verdicts = locked.map((before) => ({
    before,
    verdict: judgeHealth(byWorkspace.get(before.workspaceId) ?? []),
  }));
  const changes = verdicts.filter(({ before, verdict }) => verdict.health !== before.health);
  const isHeard = changes.length === 0 ? new Set() : await readHeard(tx, changes);
  const at = clock();
  for (const { before, verdict } of verdicts) {
    if (verdict.health !== before.health) {
      await recordChange(tx, { before, verdict, at, isHeard: isHeard.has(before.workspaceId) });
    } else if (verdict.reason !== before.reason) await updateHealth(tx, { ...before, reason: verdict.reason });
  }
}

async function readHeard(tx: Transaction, changes: readonly { before: LockedHealth }[]): Promise<Set<string>> {
  const ids = changes.map(({ before }) => before.workspaceId);
  return new Set(await listHeardWorkspaces(tx, ids, "workspace.health.changed"));
}

interface Change {
  before: LockedHealth;
  verdict: HealthVerdict;
  at: Date;
  /** A webhook listens for changes of the health of the workspace. */
  isHeard: boolean;
}

async function recordChange(tx: Transaction, { before, verdict, at, isHeard }: Change): Promise<void> {
  const { health, reason } = verdict;
  const since = at.toISOString();
  // Where nothing listens there is no second write after the quiet time: it would be one for each change of 10,000 targets.
  const announcement = isHeard
    ? { announceAt: before.announceAt ?? new Date(at.getTime() + HEALTH_LIMITS.quietMs).toISOString() }
    : { announceAt: null, announced: health };
  await updateHealth(tx, { ...before, health, since, reason, ...announcement });
  await appendWorkspaceEvent(tx, before.organizationId, {
    workspaceId: before.workspaceId,
    at: since,
    actorId: SYSTEM_ACTOR_ID,
    fields: ["runtimeHealth", "deploymentStatus"],
    health: { from: before.health, to: health, reason },
  });
}
