/** The health of workspaces. */
import { sql } from "kysely";
import { RUNTIME_HEALTHS, type RuntimeHealth, type WorkspaceHealth } from "../../model/health/runtime-health.ts";
import { CHANGING_STATUSES } from "../../model/lifecycle/run-status.ts";
import { word } from "../database/closed-set.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";

/** The health of a workspace, locked. */
export interface LockedHealth extends WorkspaceHealth {
  workspaceId: string;
  organizationId: string;
  /** Its targets have to be found again. */
  stale: boolean;
  /** The health that webhooks announced last. */
  announced: RuntimeHealth;
  announceAt: string | null;
}

/** Locks the health of kept workspaces, in the order of their ids. */
export async function lockHealth(tx: Transaction, workspaceIds: readonly string[]): Promise<LockedHealth[]> {
  const rows = await tx.sql
    .selectFrom("workspace_health as h")
    .innerJoin("workspace as w", "w.id", "h.workspace_id")
    .select(["h.workspace_id", "h.health", "h.since", "h.reason", "h.stale", "h.announced", "h.announce_at"])
    .select("w.organization_id")
    .where("h.workspace_id", "in", workspaceIds)
    .orderBy("h.workspace_id")
    .forNoKeyUpdate("h")
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    organizationId: row.organization_id,
    health: word(RUNTIME_HEALTHS, row.health),
    since: row.since,
    reason: row.reason,
    stale: row.stale,
    announced: word(RUNTIME_HEALTHS, row.announced),
    announceAt: row.announce_at,
  }));
}

/** Writes the health of a workspace, which must be locked. */
export async function updateHealth(tx: Transaction, locked: Omit<LockedHealth, "organizationId">): Promise<void> {
  const { workspaceId, health, since, reason, stale, announced, announceAt } = locked;
  await tx.sql
    .updateTable("workspace_health")
    .set({ health, since, reason, stale, announced, announce_at: announceAt })
    .where("workspace_id", "=", workspaceId)
    .execute();
}

/** Lists workspaces whose targets have to be found again. Those that a run changes wait for its end. */
export async function listStaleHealth(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("workspace_health")
    .select("workspace_id")
    .where("stale", "=", sql.lit(true))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("run")
            .select("run.id")
            .whereRef("run.workspace_id", "=", "workspace_health.workspace_id")
            .where("run.finished_at", "is", null)
            .where("run.status", "in", CHANGING_STATUSES),
        ),
      ),
    )
    .orderBy("workspace_id")
    .limit(limit)
    .execute();
  return rows.map(({ workspace_id: id }) => id);
}

/** Lists workspaces whose health is due to be announced. */
export async function listHealthAnnouncements(reader: Reader, at: string, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("workspace_health")
    .select("workspace_id")
    .where("announce_at", "<=", at)
    .orderBy("announce_at")
    .limit(limit)
    .execute();
  return rows.map(({ workspace_id: id }) => id);
}

/** Finds the health of each workspace; `null` for one that never had a probe for it. */
export async function findHealth(reader: Reader, workspaceIds: readonly string[]): Promise<(WorkspaceHealth | null)[]> {
  const rows = await reader.sql
    .selectFrom("workspace_health")
    .select(["workspace_id", "health", "since", "reason"])
    .where("workspace_id", "in", workspaceIds)
    .execute();
  return inOrder(workspaceIds, rows, (row) => row.workspace_id).map((row) =>
    row === null ? null : { health: word(RUNTIME_HEALTHS, row.health), since: row.since, reason: row.reason },
  );
}
