/** The locks of workspaces. */
import type { WorkspaceLock } from "../../model/workspace/workspace.ts";
import type { Reader, Transaction } from "../database/database.ts";

/** Lists ids of workspaces whose lock has expired. */
export async function listExpiredLocks(reader: Reader, at: string, limit: number): Promise<string[]> {
  const rows = await reader.sql
    .selectFrom("workspace")
    .select("id")
    .where("lock_expires_at", "<=", at)
    .orderBy("lock_expires_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export async function setWorkspaceLock(tx: Transaction, id: string, lock: WorkspaceLock | null): Promise<void> {
  await tx.sql
    .updateTable("workspace")
    .set({
      lock_reason: lock?.reason ?? null,
      lock_run_id: lock?.runId ?? null,
      lock_actor_id: lock?.actorId ?? null,
      lock_note: lock?.note ?? null,
      locked_at: lock?.since ?? null,
      lock_expires_at: lock?.expiresAt ?? null,
    })
    .where("id", "=", id)
    .execute();
}
