/** States that were applied in workspaces on which others depend. The database notes each once (`note_upstream_change`). */
import type { Reader, Transaction } from "../database/database.ts";

/** A state that was applied, and the run that did it. */
export interface UpstreamChange {
  workspaceId: string;
  serial: number;
  runId: string;
}

/** Lists those for which no runs downstream were decided yet, oldest first. */
export async function listUpstreamChanges(reader: Reader, limit: number): Promise<UpstreamChange[]> {
  const rows = await reader.sql
    .selectFrom("upstream_change")
    .select(["workspace_id", "serial", "run_id"])
    .where("decided_at", "is", null)
    .orderBy("run_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ workspaceId: row.workspace_id, serial: row.serial, runId: row.run_id }));
}

/** Locks one for which nothing was decided yet. Returns whether there is one that no other server is deciding. */
export async function lockUpstreamChange(tx: Transaction, { workspaceId, serial }: UpstreamChange): Promise<boolean> {
  const row = await tx.sql
    .selectFrom("upstream_change")
    .select("run_id")
    .where("workspace_id", "=", workspaceId)
    .where("serial", "=", serial)
    .where("decided_at", "is", null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes what was decided. `changesetId`: `null` if nothing has changed downstream. */
export async function endUpstreamChange(
  tx: Transaction,
  { workspaceId, serial }: UpstreamChange,
  { at, changesetId }: { at: string; changesetId: string | null },
): Promise<void> {
  await tx.sql
    .updateTable("upstream_change")
    .set({ decided_at: at, changeset_id: changesetId })
    .where("workspace_id", "=", workspaceId)
    .where("serial", "=", serial)
    .execute();
}
