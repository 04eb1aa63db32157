/** Derives the health of workspaces from that of their targets, and records its changes. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import { judgeHealth } from "../../model/health/runtime-health.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendWorkspaceEvent } from "../../persistence/feed/workspace-event-store.ts";
import { type LockedHealth, updateHealth } from "../../persistence/health/health-store.ts";
import { listShownTargets } from "../../persistence/health/target-store.ts";
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
  const at = clock();
  for (const before of locked) {
    const verdict = judgeHealth(byWorkspace.get(before.workspaceId) ?? []);
    if (verdict.health === before.health && verdict.reason === before.reason) continue;
    if (verdict.health === before.health) {
      await updateHealth(tx, { ...before, reason: verdict.reason });
      continue;
    }
    await recordChange(tx, before, verdict, at);
  }
}

async function recordChange(
  tx: Transaction,
  before: LockedHealth,
  { health, reason }: ReturnType<typeof judgeHealth>,
  at: Date,
): Promise<void> {
  const since = at.toISOString();
  const announceAt = before.announceAt ?? new Date(at.getTime() + HEALTH_LIMITS.quietMs).toISOString();
  await updateHealth(tx, { ...before, health, since, reason, announceAt });
  await appendWorkspaceEvent(tx, before.organizationId, {
    workspaceId: before.workspaceId,
    at: since,
    actorId: SYSTEM_ACTOR_ID,
    fields: ["runtimeHealth", "deploymentStatus"],
    health: { from: before.health, to: health, reason },
  });
}
